import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import { seenIn } from '../../src/testing/index.ts';
import { held } from '../held.ts';
import { A_COMMIT, B_COMMIT, NEW_COMMIT } from './builds.ts';
import { agentOf, HANDSHAKE, openBuild } from './open-build.ts';

const declare = (session: OpenedSession, by: 'agent_a' | 'agent_b', changes: object = {}) =>
  agentOf(session, by).call('verify_handshake', {
    ...HANDSHAKE,
    commit: by === 'agent_a' ? A_COMMIT : B_COMMIT,
    ...changes,
  });
const start = ({ agentA }: OpenedSession) => agentA.call('verify_start_attempt', { scenario_id: 'test-reserve' });
const give = (session: OpenedSession, by: 'agent_a' | 'agent_b') =>
  agentOf(session, by).call('verify_submit_evidence', {
    scenario_id: 'test-reserve',
    attempt: 1,
    kind: 'log',
    claim: 'It holds.',
    summary: 'Seen.',
    request_id: 'req-1',
  });
const judge = ({ agentB }: OpenedSession, verdict: 'PASS' | 'FAIL') =>
  agentB.call('verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict });

async function declared(): Promise<OpenedSession> {
  const session = await openBuild();
  await declare(session, 'agent_b');
  await declare(session, 'agent_a');
  return session;
}

const wait = (session: OpenedSession, by: 'agent_a' | 'agent_b') =>
  agentOf(session, by).call('verify_next', { wait: 25 });
const tools = async (poll: ReturnType<typeof wait>): Promise<string[]> => (await poll).items.map(({ tool }) => tool);

/** A call that another client makes. */
type Step = (session: OpenedSession) => Promise<unknown>;

const WAITS = {
  tool: 'wait_for_my_turn',
  route: 'GET state?wait=25',
  text: 'Wait. The next call is that of agent_a: verify_start_attempt, for scenario test-reserve.',
};

describe('a held verify_next', () => {
  test('answers when a question of the caller is answered, and names the place of the answer', async () => {
    const session = await declared();
    await session.agentB.call('answer_question', { question_id: '', answer: '', questions: ['Which port?'] });
    const poll = wait(session, 'agent_b');
    await held(session);
    await session.agentA.call('answer_question', { question_id: 'q_1', answer: '5432' });
    expect(await poll).toEqual({
      items: [],
      instruction: {
        tool: 'read_messages',
        route: 'GET messages',
        text: 'A question of yours was answered: read_messages has the answer.',
      },
      phase: 'VERIFY',
      status: 'ACTIVE',
      timed_out: false,
    });
  });

  test('answers at once while there is an item, again and again', async () => {
    const session = await openBuild();
    for (let again = 0; again < 3; again += 1)
      expect(await wait(session, 'agent_a')).toMatchObject({
        items: [{ tool: 'verify_handshake' }],
        timed_out: false,
      });
  });

  test('answers after its time if there is no item', async () => {
    const session = await declared();
    const poll = wait(session, 'agent_b');
    await held(session);
    session.clock.advance(24_999);
    await held(session);
    session.clock.advance(1);
    expect(await poll).toEqual({ items: [], instruction: WAITS, phase: 'VERIFY', status: 'ACTIVE', timed_out: true });
  });

  test('without a wait answers at once, without the member timed_out', async () => {
    const session = await declared();
    expect(await session.agentB.call('verify_next', {})).toEqual({
      items: [],
      instruction: WAITS,
      phase: 'VERIFY',
      status: 'ACTIVE',
    });
  });

  test('is not woken by events that give it no item', async () => {
    const session = await declared();
    const poll = wait(session, 'agent_b');
    await held(session);
    await start(session);
    await session.owner.ask(session.sessionId, { targets: ['agent_a'], text: 'How far?' });
    await declare(session, 'agent_a', { version: '1.0.1' });
    await held(session);
    session.clock.advance(25_000);
    expect(await poll).toMatchObject({ items: [], timed_out: true });
  });

  const question: Step = ({ agentA }) =>
    agentA.call('answer_question', { question_id: '', answer: '', questions: ['Which port?'] });
  const ofOwner: Step = ({ owner, sessionId }) => owner.ask(sessionId, { targets: ['agent_b'], text: 'How far?' });
  const byA: Step = (session) => give(session, 'agent_a');
  const byB: Step = (session) => give(session, 'agent_b');
  const passed = [start, byA, byB, (session: OpenedSession) => judge(session, 'PASS')];
  const failed = [start, byA, byB, (session: OpenedSession) => judge(session, 'FAIL')];
  const recommits: Step = (session) => declare(session, 'agent_b', { commit: NEW_COMMIT });
  const fixes: Step = ({ agentB }) => agentB.call('verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' });
  const waives: Step = async ({ owner, sessionId }) =>
    owner.waiveDefect(sessionId, { defect_id: 'def_1', reason: 'Rare.', seen: await seenIn(owner, sessionId) });
  const reassigns: Step = async ({ owner, sessionId }) =>
    owner.reassignDefect(sessionId, { defect_id: 'def_1', role: 'agent_a', seen: await seenIn(owner, sessionId) });

  test.each<[string, readonly Step[], 'agent_a' | 'agent_b', Step, string]>([
    ['a question of the other agent', [], 'agent_b', question, 'answer_question'],
    ['a question of the owner', [], 'agent_b', ofOwner, 'answer_intervention'],
    ['the evidence of the starter', [start], 'agent_b', byA, 'verify_verify'],
    ['the last evidence, for the verdict', [start, byB], 'agent_b', byA, 'verify_verify'],
    ['the fix of a defect', [...failed, recommits], 'agent_a', fixes, 'verify_start_attempt'],
    ['a new commit that makes a pass stale', passed, 'agent_a', recommits, 'verify_start_attempt'],
    ['a defect that is waived', failed, 'agent_a', waives, 'verify_start_attempt'],
    ['a defect that is reassigned', failed, 'agent_a', reassigns, 'verify_handshake'],
  ])('is woken by %s', async (...[, past, by, step, tool]) => {
    const session = await declared();
    for (const earlier of past) await earlier(session);
    const poll = wait(session, by);
    await held(session);
    await step(session);
    expect(await tools(poll)).toEqual([tool]);
  });

  test('is woken by the end of the session', async () => {
    const session = await declared();
    const poll = wait(session, 'agent_b');
    await held(session);
    await session.owner.end(session.sessionId, { end_reason: 'CANCELLED' });
    expect(await poll).toEqual({
      items: [],
      instruction: { tool: null, text: 'The session has ended: there is nothing left to do. You can still read.' },
      phase: 'VERIFY',
      status: 'ENDED',
      timed_out: false,
    });
  });

  test('is held during a pause, and answered after it', async () => {
    const session = await declared();
    await start(session);
    await session.owner.pause(session.sessionId, { reason: 'Lunch.' });
    const poll = wait(session, 'agent_a');
    await held(session);
    await session.owner.resume(session.sessionId);
    expect(await tools(poll)).toEqual(['verify_submit_evidence']);
  });

  test('ends with the error when the token is revoked', async () => {
    const session = await declared();
    const poll = wait(session, 'agent_b');
    const refused = expect(poll).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    await held(session);
    await session.owner.revoke(session.sessionId, { role: 'agent_b' });
    await refused;
  });
});

describe('an agent that was invited again', () => {
  test('still has the defect of its role', async () => {
    const session = await declared();
    await start(session);
    await judge(session, 'FAIL');
    const { code } = await session.owner.invite(session.sessionId, { role: 'agent_b' });
    const anew = session.parley.agent((await session.parley.redeem({ code })).token);
    expect((await anew.call('verify_next', {})).items).toMatchObject([
      { tool: 'verify_handshake', scenario_id: 'test-reserve' },
    ]);
    await anew.call('verify_handshake', { ...HANDSHAKE, commit: NEW_COMMIT });
    expect(await anew.call('verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' })).toMatchObject({
      defect: { status: 'FIXED' },
    });
  });
});
