import { type Inside, invite, type Joined, joinSession, MARK } from './service.ts';

/** For each tool, an input that agent A, or the moderator, is served with in a stocked session. */
const GOOD_REQUESTS: Readonly<Record<string, object>> = {
  read_task: {},
  read_session_state: {},
  wait_for_my_turn: { wait: 25 },
  read_messages: { after: 1 },
  post_turn: { summary: 'The cursor holds the last id.', request_id: 'turn-2' },
  post_evidence: { evidence: [{ kind: 'file', reference: 'src/page.ts:12' }] },
  answer_question: { question_id: 'q_1', answer: 'Yes, by a unique index.' },
  list_decisions: {},
  submit_decision: { topic: 'Page size', position: '100 products.' },
  accept_decision: { decision_id: 'd_2' },
  reject_decision: { decision_id: 'd_2', reason: 'The base is too small.' },
  withdraw_decision: { decision_id: 'd_1', reason: 'The id is enough.' },
  elect_contract_author: { candidate: 'agent_a', reason: 'Owns the catalogue.' },
  list_interventions: {},
  ack_intervention: { intervention_id: 'i_1' },
  answer_intervention: { intervention_id: 'i_1', text: 'No.' },
  poll_actions: {},
  ack_action: { action_id: 'act_1' },
  complete_action: { action_id: 'act_1' },
};

export function goodRequest(tool: string): object {
  const input = GOOD_REQUESTS[tool];
  if (!input) throw new Error(`Say in ${import.meta.url} with which input ${tool} is served.`);
  return input;
}

/** A session in which there is something for agent A to do with every tool: A has the turn, and d_1 is its own. */
export async function stockSession(service: Inside): Promise<Joined> {
  const joined = await joinSession(service);
  const { parley, owner } = service;
  const [agentA, agentB] = [parley.agent(joined.tokens.agent_a), parley.agent(joined.tokens.agent_b)];
  await agentA.call('post_turn', { summary: `Offsets hurt ${MARK}.` });
  await agentB.call('post_turn', { summary: `So do joins on ${MARK}.`, questions: [`Is ${MARK} indexed?`] });
  await agentA.call('submit_decision', { topic: `${MARK} cursor`, position: 'An opaque text.' });
  await agentB.call('submit_decision', { topic: `${MARK} order`, position: 'By id.' });
  await owner.ask(joined.sessionId, { targets: ['agent_a'], text: `Does ${MARK} cost more?` });
  await owner.assignAction(joined.sessionId, { target: 'agent_a', text: `Measure ${MARK}.` });
  return joined;
}

/** Redeems a new invitation for every role: the tokens that came before are replaced. */
export async function replaceTokens({ owner, parley }: Inside, { sessionId }: Joined): Promise<void> {
  for (const role of ['agent_a', 'agent_b', 'moderator'] as const)
    await parley.redeem({ code: await invite(owner, sessionId, role) });
}
