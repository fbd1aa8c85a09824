import { type OpenedSession, openSession, seenIn } from '../../src/testing/index.ts';
import { SAMPLE_CONTRACT, SAMPLE_MAPPINGS } from '../contract/sample-contract.ts';
import { askedOf } from '../readiness/asked-of.ts';
import type { Builder } from './builds.ts';

type Contract = typeof SAMPLE_CONTRACT;

/** The members of a handshake except the commit. */
export const HANDSHAKE = {
  service: 'orders-api',
  version: '1.0.0',
  environment: 'staging',
  ready: true,
  dependencies_healthy: true,
};

export const agentOf = ({ agentA, agentB }: OpenedSession, by: Builder) => (by === 'agent_a' ? agentA : agentB);

/** Opens a Parley in which the build of this contract is authorized. */
export async function openBuild(contract: Contract = SAMPLE_CONTRACT): Promise<OpenedSession> {
  const session = await openSession();
  const { agentA, agentB, owner, sessionId } = session;
  await agentA.call('submit_decision', { topic: 'Store', position: 'PostgreSQL 15' });
  for (const agent of [agentA, agentB]) await agent.call('accept_decision', { decision_id: 'd_1' });
  for (const agent of [agentA, agentB])
    await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows the schema.' });
  await agentA.call('submit_contract', { contract, expected_parent_id: '', reason: 'As decided.' });
  await agentA.call('submit_preflight', { mappings: SAMPLE_MAPPINGS });
  const { revision_id, content_hash } = await agentA.call('get_final_plan', {});
  if (!revision_id || !content_hash) throw new Error('No revision was stored.');
  for (const agent of [agentA, agentB])
    await agent.call('submit_final_review', { revision_id, content_hash, verdict: 'APPROVE' });
  await owner.approveContract(sessionId, { revision_id, content_hash, seen: await seenIn(owner, sessionId) });
  for (const by of ['agent_a', 'agent_b'] as const) await report(session, by);
  for (const by of ['agent_a', 'agent_b'] as const) await confirmAnswers(session, by);
  await owner.authorize(sessionId, { stage: 'build', seen: await seenIn(owner, sessionId) });
  return session;
}

/** Confirms every artifact of the builder and reports READY_TO_CODE. */
async function report(session: OpenedSession, by: Builder): Promise<void> {
  const agent = agentOf(session, by);
  const { artifacts } = await agent.call('list_artifacts', {});
  for (const { filename, sha256 } of artifacts) await agent.call('confirm_receipt', { filename, sha256 });
  const { questions, repeated } = await askedOf(agent);
  await agent.call('submit_readiness', {
    ...repeated,
    verdict: 'READY_TO_CODE',
    answers: questions.map(({ question_id }) => ({ question_id, answer: 'As the contract says.' })),
  });
}

async function confirmAnswers(session: OpenedSession, by: Builder): Promise<void> {
  const agent = agentOf(session, by);
  const { to_confirm } = await agent.call('get_readiness_questions', {});
  await agent.call('complete_action', { action_id: to_confirm?.action_id ?? '' });
}
