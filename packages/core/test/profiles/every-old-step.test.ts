import { describe, expect, test } from 'vitest';
import type { AgentClient } from '../../src/index.ts';
import { type OpenedSession, openSession, seenIn } from '../../src/testing/index.ts';
import { SAMPLE_CONTRACT, SAMPLE_MAPPINGS } from '../contract/sample-contract.ts';
import { askedOf } from '../readiness/asked-of.ts';
import { attempt, type Call, evidence, handshake, verdict } from '../story.ts';

/** How the owner decides: each step alone, or the build with the approval. */
const WAYS = [
  { profile: 'full', authorize_build: false },
  { profile: 'light', authorize_build: false },
  { profile: 'light', authorize_build: true },
] as const;

type Way = (typeof WAYS)[number];
interface Latest {
  readonly revision_id: string;
  readonly content_hash: string;
}
type Step = (session: OpenedSession, latest: Latest, way: Way) => Promise<unknown>;

const both =
  (step: (agent: AgentClient, latest: Latest) => Promise<unknown>): Step =>
  async ({ agentA, agentB }, latest) => {
    await step(agentA, latest);
    await step(agentB, latest);
  };

const calls =
  (...made: readonly Call[]): Step =>
  async ({ agentA, agentB }) => {
    for (const [by, tool, input = {}] of made)
      await (by === 'agent_a' ? agentA : agentB).call(tool as never, input as never);
  };

async function confirmEach(agent: AgentClient): Promise<void> {
  for (const { filename } of (await agent.call('list_artifacts')).artifacts) {
    const { sha256 } = await agent.call('fetch_artifact', { filename });
    await agent.call('confirm_receipt', { filename, sha256 });
  }
  expect((await agent.call('get_readiness_questions')).receipts_missing).toEqual([]);
}

async function reportReady(agent: AgentClient): Promise<void> {
  const { questions, repeated } = await askedOf(agent);
  expect(questions.map(({ question_id }) => question_id)).toEqual(['rq_1', 'rq_2']);
  const answered = await agent.call('submit_readiness', {
    ...repeated,
    verdict: 'READY_TO_CODE',
    answers: questions.map(({ question_id }) => ({ question_id, answer: 'A 409 is tried again once.' })),
  });
  expect(answered.readiness.map(({ verdict }) => verdict)).toContain('READY_TO_CODE');
}

const TAKE_NOTES = ['OWNER_TASK', 'BEGIN_BUILD', 'BUILD_TASK', 'REPORT_GATES'];

/** Acknowledges every action, and completes those that `complete_action` completes. */
async function clearActions(agent: AgentClient): Promise<void> {
  for (const { action_id, type } of (await agent.call('poll_actions')).actions) {
    await agent.call('ack_action', { action_id });
    if (TAKE_NOTES.includes(type)) await agent.call('complete_action', { action_id, note: 'Seen.' });
    if (type === 'CONFIRM_ANSWERS') await agent.call('complete_action', { action_id });
  }
}

const authorize =
  (stage: 'build' | 'deployment' | 'activation'): Step =>
  async ({ owner, sessionId }) =>
    owner.authorize(sessionId, { stage, seen: await seenIn(owner, sessionId) });

/** Every step that a session of the profile full asks for, in order. */
const STEPS: readonly Step[] = [
  calls(
    ['agent_a', 'post_turn', { summary: 'A.', proposed_decisions: [{ topic: 'Store', position: 'PostgreSQL' }] }],
    ['agent_b', 'post_turn', { summary: 'B.', converged: true }],
  ),
  both((agent) => agent.call('accept_decision', { decision_id: 'd_1' })),
  both((agent) => agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' })),
  ({ owner, sessionId }) => owner.assignAction(sessionId, { target: 'agent_b', text: 'Write the changelog.' }),
  calls(['agent_a', 'submit_contract', { contract: SAMPLE_CONTRACT, expected_parent_id: '', reason: 'As decided.' }]),
  calls(['agent_a', 'submit_preflight', { mappings: SAMPLE_MAPPINGS }]),
  both(clearActions),
  both((agent, latest) => agent.call('submit_final_review', { ...latest, verdict: 'APPROVE' })),
  async ({ owner, sessionId }, latest, { authorize_build }) => {
    const seen = await seenIn(owner, sessionId);
    await owner.approveContract(sessionId, { ...latest, seen, ...(authorize_build && { authorize_build }) });
  },
  both(clearActions),
  both(confirmEach),
  both(reportReady),
  both(clearActions),
  (session, latest, way) => (way.authorize_build ? Promise.resolve() : authorize('build')(session, latest, way)),
  both(clearActions),
  calls(
    handshake('agent_a'),
    handshake('agent_b'),
    attempt('agent_a', 'test-reserve'),
    evidence('agent_a', 'test-reserve'),
    evidence('agent_b', 'test-reserve'),
    verdict('agent_b', 'test-reserve'),
    attempt('agent_b', 'test-expiry'),
    evidence('agent_b', 'test-expiry'),
    evidence('agent_a', 'test-expiry'),
    verdict('agent_a', 'test-expiry'),
  ),
  both(clearActions),
  authorize('deployment'),
  both(clearActions),
  authorize('activation'),
  both(clearActions),
  ({ owner, sessionId }) => owner.end(sessionId, { end_reason: 'COMPLETED' }),
];

async function latestIn({ agentA }: OpenedSession): Promise<Latest> {
  const { latest_revision } = await agentA.call('read_session_state');
  const { revision_id = '', content_hash = '' } = latest_revision ?? {};
  return { revision_id, content_hash };
}

async function walk(way: Way, steps: readonly Step[]): Promise<OpenedSession> {
  const session = await openSession({ session: { profile: way.profile } });
  for (const step of steps) await step(session, await latestIn(session), way);
  return session;
}

describe.each(WAYS)('agents and an owner that take every step of the profile full: %o', (way) => {
  test('are refused nothing, and reach the end', async () => {
    const { owner, sessionId } = await walk(way, STEPS);
    expect(await owner.view(sessionId)).toMatchObject({ state: { status: 'ENDED', phase: 'RELEASE' } });
    const { readiness } = await owner.view(sessionId);
    expect(readiness.map(({ by, verdict }) => [by, verdict])).toEqual([
      ['agent_a', 'READY_TO_CODE'],
      ['agent_b', 'READY_TO_CODE'],
    ]);
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true });
  });
});

describe('a report after the authorization of the build', () => {
  const untilBuilt = STEPS.slice(0, 9);
  const report = async (agent: AgentClient) => ({ ...(await askedOf(agent)).repeated, answers: [] });

  test('in a light session opens no task and ends no instruction', async () => {
    const { agentA, agentB } = await walk(WAYS[2], untilBuilt);
    const read = async () => {
      const states = [await agentA.call('read_session_state'), await agentB.call('read_session_state')];
      return states.map(({ instruction, due, pending_actions, phase }) => [instruction, due, pending_actions, phase]);
    };
    const before = await read();
    for (const agent of [agentA, agentB]) await confirmEach(agent);
    for (const agent of [agentA, agentB]) await reportReady(agent);
    expect(await read()).toEqual(before);
  });

  test('in a light session that says BLOCKED is refused, and the hint names a call that works', async () => {
    const { agentA, agentB } = await walk(WAYS[2], untilBuilt);
    const refused = async (agent: AgentClient, call: string) => {
      const blocked = { ...(await report(agent)), verdict: 'BLOCKED' as const, blockers: ['No access.'] };
      await expect(agent.call('submit_readiness', blocked)).rejects.toMatchObject({
        code: 'WRONG_PHASE',
        details: { hint: expect.stringContaining(call), allowed_phases: ['READINESS'] },
      });
    };
    await refused(agentA, '(answer_question with question_id "" and answer "")');
    await refused(agentB, '(submit_finding)');
    const questions = [{ to: 'owner', text: 'I have no access to staging.' }] as const;
    await agentA.call('answer_question', { question_id: '', answer: '', questions: [...questions] });
    await agentB.call('submit_finding', { text: 'No access.' });
    expect(await agentA.call('get_readiness_questions')).toMatchObject({ readiness: [] });
  });

  test('in a full session is refused as before', async () => {
    const { agentA, agentB, owner, sessionId } = await walk(WAYS[0], STEPS.slice(0, 14));
    expect(await owner.view(sessionId)).toMatchObject({ state: { phase: 'VERIFY' } });
    const ready = { ...(await report(agentB)), verdict: 'READY_TO_CODE' as const };
    await expect(agentB.call('submit_readiness', ready)).rejects.toMatchObject({
      code: 'WRONG_PHASE',
      details: { phase: 'VERIFY', allowed_phases: ['READINESS'] },
    });
    const receipt = { filename: 'shared-contract.json', sha256: 'a'.repeat(64) };
    await expect(agentA.call('confirm_receipt', receipt)).rejects.toMatchObject({ code: 'WRONG_PHASE' });
  });
});
