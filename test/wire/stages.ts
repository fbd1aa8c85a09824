import { stageFor } from './good-requests.ts';
import { type Inside, invite, type Joined, joinSession, MARK } from './service.ts';
import { STOCK_CONTRACT, STOCK_HASH, STOCK_MAPPINGS } from './stock-contract.ts';

/**
 * How far a session has come. `planned`: A has the turn, and d_1 is its own. `written by …`: r_1 is there, and the
 * reviewer has raised f_1. `approved`: the manifest of r_1 is frozen.
 */
export type Stage = 'planned' | 'written by A' | 'written by B' | 'approved';

type Author = 'agent_a' | 'agent_b';

const BUILDERS: readonly Author[] = ['agent_a', 'agent_b'];

/** A session in which there is something for agent A, or the moderator, to do with the tool. */
export const stockSession = (service: Inside, tool: string | null = null): Promise<Joined> =>
  openStage(service, stageFor(tool));

export async function openStage(service: Inside, stage: Stage): Promise<Joined> {
  const joined = await joinSession(service);
  await plan(service, joined);
  if (stage === 'planned') return joined;
  const author = stage === 'written by B' ? 'agent_b' : 'agent_a';
  await write(service, joined, author);
  if (stage === 'approved') await approve(service, joined);
  else await raiseFinding(service, joined.tokens[author === 'agent_a' ? 'agent_b' : 'agent_a']);
  return joined;
}

async function plan({ parley, owner }: Inside, { sessionId, tokens }: Joined): Promise<void> {
  const [agentA, agentB] = [parley.agent(tokens.agent_a), parley.agent(tokens.agent_b)];
  await agentA.call('post_turn', { summary: `Offsets hurt ${MARK}.` });
  await agentB.call('post_turn', { summary: `So do joins on ${MARK}.`, questions: [`Is ${MARK} indexed?`] });
  await agentA.call('submit_decision', { topic: `${MARK} cursor`, position: 'An opaque text.' });
  await agentB.call('submit_decision', { topic: `${MARK} order`, position: 'By id.' });
  await owner.ask(sessionId, { targets: ['agent_a'], text: `Does ${MARK} cost more?` });
  await owner.assignAction(sessionId, { target: 'agent_a', text: `Measure ${MARK}.` });
}

async function write(service: Inside, joined: Joined, author: Author): Promise<void> {
  for (const builder of BUILDERS) {
    const agent = service.parley.agent(joined.tokens[builder]);
    for (const decision_id of ['d_1', 'd_2']) await agent.call('accept_decision', { decision_id });
    await agent.call('elect_contract_author', { candidate: author, reason: `Knows ${MARK}.` });
  }
  const writer = service.parley.agent(joined.tokens[author]);
  const reason = `As decided for ${MARK}.`;
  await writer.call('submit_contract', { contract: STOCK_CONTRACT, expected_parent_id: '', reason });
  await writer.call('submit_preflight', { mappings: [...STOCK_MAPPINGS] });
}

const raiseFinding = ({ parley }: Inside, reviewer: string): Promise<unknown> =>
  parley.agent(reviewer).call('submit_finding', { text: `No ${MARK} page has a limit.` });

/** Both builders and the owner say yes to exactly r_1. */
async function approve({ parley, owner }: Inside, { sessionId, tokens }: Joined): Promise<void> {
  const named = { revision_id: 'r_1', content_hash: STOCK_HASH };
  for (const builder of BUILDERS)
    await parley.agent(tokens[builder]).call('submit_final_review', { ...named, verdict: 'APPROVE' });
  await owner.approveContract(sessionId, named);
}

/** Redeems a new invitation for every role: the tokens that came before are replaced. */
export async function replaceTokens({ owner, parley }: Inside, { sessionId }: Joined): Promise<void> {
  for (const role of ['agent_a', 'agent_b', 'moderator'] as const)
    await parley.redeem({ code: await invite(owner, sessionId, role) });
}
