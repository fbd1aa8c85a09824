import type { Notice } from '../../src/areas/notices/rules.ts';
import type { OpenedSession } from '../../src/testing/index.ts';
import { SAMPLE_CONTRACT, SAMPLE_HASH, SAMPLE_MAPPINGS } from '../contract/sample-contract.ts';

/** The ids of the due notices. The session id with which each begins is removed. */
export const due = async ({ owner, sessionId }: Pick<OpenedSession, 'owner' | 'sessionId'>): Promise<string[]> =>
  (await owner.dueNotices(sessionId)).map(({ notice_id }) => notice_id.slice(sessionId.length + 1));

/** Records every due notice as sent. */
export async function tell({ owner, sessionId }: OpenedSession, unbroken = true): Promise<readonly Notice[]> {
  const notices = await owner.dueNotices(sessionId);
  for (const { wait_id, number } of notices) await owner.recordNotice(sessionId, { wait_id, number, unbroken });
  return notices;
}

const named = { revision_id: 'r_1', content_hash: SAMPLE_HASH };

/** Submits the revision r_1 and its preflight, but no reviews. */
export async function submitContract({ agentA, agentB }: OpenedSession): Promise<void> {
  await agentA.call('submit_decision', { topic: 'Store', position: 'PostgreSQL 15' });
  for (const agent of [agentA, agentB]) await agent.call('accept_decision', { decision_id: 'd_1' });
  for (const agent of [agentA, agentB])
    await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows the schema.' });
  await agentA.call('submit_contract', { contract: SAMPLE_CONTRACT, expected_parent_id: '', reason: 'As decided.' });
  await agentA.call('submit_preflight', { mappings: SAMPLE_MAPPINGS });
}

export const judge = async (
  session: OpenedSession,
  by: 'agentA' | 'agentB',
  verdict: 'APPROVE' | 'REQUEST_CHANGES' = 'APPROVE',
): Promise<void> => void (await session[by].call('submit_final_review', { ...named, verdict }));

/** Submits the revision r_1 and lets both builders approve it. */
export async function certify(session: OpenedSession): Promise<void> {
  await submitContract(session);
  await judge(session, 'agentA');
  await judge(session, 'agentB');
}

/** The moderator raises a finding with a hold, and the author responds. */
export async function holdAll({ moderator, agentA }: OpenedSession): Promise<void> {
  await moderator.call('submit_moderator_finding', {
    category: 'SAFETY',
    text: 'Nothing undoes a failed release.',
    resolution_criteria: 'A rollback that was tried.',
    blocking: false,
    request_hold: true,
    hold_reason: 'Not without a rollback.',
  });
  await agentA.call('respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'It is there.' });
}
