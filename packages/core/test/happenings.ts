import { type OpenedSession, openSession } from '../src/testing/index.ts';
import { SAMPLE_CONTRACT, SAMPLE_MAPPINGS } from './contract/sample-contract.ts';
import { held } from './held.ts';

/** Calls that a test makes before or during the wait of another client. */
export type Happening = (session: OpenedSession) => Promise<unknown>;

export async function opened(past: readonly Happening[] = []): Promise<OpenedSession> {
  const session = await openSession();
  for (const happen of past) await happen(session);
  return session;
}

/** Returns the answer of a long-poll. Fails if the long-poll is held. */
export async function atOnce<T>(session: OpenedSession, poll: Promise<T>): Promise<T> {
  await held(session, 0);
  return poll;
}

/** Returns the answer of a long-poll. Fails if the long-poll ends before its time-out of 25 seconds. */
export async function heldToTheEnd<T>(session: OpenedSession, poll: Promise<T>): Promise<T> {
  await held(session);
  session.clock.advance(25_000);
  return poll;
}

export const propose: Happening = ({ agentA }) =>
  agentA.call('submit_decision', { topic: 'Store', position: 'PostgreSQL 15' });
export const accept =
  (member: 'agentA' | 'agentB'): Happening =>
  (session) =>
    session[member].call('accept_decision', { decision_id: 'd_1' });
export const nominate =
  (member: 'agentA' | 'agentB', candidate: 'agent_a' | 'agent_b'): Happening =>
  (session) =>
    session[member].call('elect_contract_author', { candidate, reason: 'Knows the schema.' });
export const submit: Happening = ({ agentA }) =>
  agentA.call('submit_contract', { contract: SAMPLE_CONTRACT, expected_parent_id: '', reason: 'As decided.' });
export const map: Happening = ({ agentA }) => agentA.call('submit_preflight', { mappings: SAMPLE_MAPPINGS });
export const find: Happening = ({ agentB }) =>
  agentB.call('submit_finding', { text: 'No error for an unknown article.' });
export const respond: Happening = ({ agentA }) =>
  agentA.call('respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'It is there.' });
export const findAsModerator: Happening = ({ moderator }) =>
  moderator.call('submit_moderator_finding', {
    category: 'SAFETY',
    text: 'No rollback.',
    resolution_criteria: 'One that was tried.',
    target_agents: ['agent_a'],
  });
export const assign =
  (target: 'agent_a' | 'agent_b'): Happening =>
  ({ owner, sessionId }) =>
    owner.assignAction(sessionId, { target, text: 'Count the products.' });
export const acknowledge: Happening = ({ agentB }) => agentB.call('ack_action', { action_id: 'act_1' });

const judge =
  (verdict: 'APPROVE' | 'REQUEST_CHANGES'): Happening =>
  async ({ moderator }) => {
    const revision = await latest(moderator);
    return moderator.call('submit_contract_review', { ...revision, verdict, summary: 'Read.', dimensions: [] });
  };
export const object = judge('REQUEST_CHANGES');
export const assess = judge('APPROVE');
export const approve =
  (member: 'agentA' | 'agentB'): Happening =>
  async (session) =>
    session[member].call('submit_final_review', { ...(await latest(session[member])), verdict: 'APPROVE' });
export const approvals = [approve('agentA'), approve('agentB')];
export const findLightly: Happening = ({ moderator }) =>
  moderator.call('submit_moderator_finding', {
    category: 'SAFETY',
    text: 'No rollback.',
    resolution_criteria: 'One that was tried.',
    target_agents: ['agent_a'],
    blocking: false,
  });
export const hold: Happening = ({ moderator }) =>
  moderator.call('request_hold', { finding_id: 'f_1', reason: 'Not yet.' });

async function latest(agent: OpenedSession['agentA']) {
  const { revision_id, content_hash } = await agent.call('get_final_plan');
  if (!revision_id || !content_hash) throw new Error('No revision was stored.');
  return { revision_id, content_hash };
}

const decided = [propose, accept('agentA'), accept('agentB')];
export const elected = [...decided, nominate('agentA', 'agent_a'), nominate('agentB', 'agent_a')];
export const mapped = [...elected, submit, map];
