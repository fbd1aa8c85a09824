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

  test('answers when the other agent or the owner asks something', async () => {
    const session = await declared();
    const poll = wait(session, 'agent_b');
    await held(session);
    await session.agentA.call('answer_question', { question_id: '', answer: '', questions: ['Which port?'] });
    expect(await tools(poll)).toEqual(['answer_question']);
    await session.agentB.call('answer_question', { question_id: 'q_1', answer: '5432' });
    const next = wait(session, 'agent_b');
    await held(session);
    await session.owner.ask(session.sessionId, { targets: ['agent_b'], text: 'How far?' });
    expect(await tools(next)).toEqual(['answer_intervention']);
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

  test('is woken by the evidence of the starter', async () => {
    const session = await declared();
    await start(session);
    const poll = wait(session, 'agent_b');
    await held(session);
    await give(session, 'agent_a');
    expect(await tools(poll)).toEqual(['verify_verify']);
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

  test('is woken by the last evidence, for the verdict', async () => {
    const session = await declared();
    await start(session);
    await give(session, 'agent_b');
    const poll = wait(session, 'agent_b');
    await held(session);
    await give(session, 'agent_a');
    expect(await tools(poll)).toEqual(['verify_verify']);
  });

  test('is woken by a failure for its assignee, and by the fix for the executor', async () => {
    const session = await declared();
    await start(session);
    await give(session, 'agent_a');
    await give(session, 'agent_b');
    await judge(session, 'FAIL');
    const poll = wait(session, 'agent_a');
    await held(session);
    await declare(session, 'agent_b', { commit: NEW_COMMIT });
    await held(session);
    await session.agentB.call('verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' });
    expect(await tools(poll)).toEqual(['verify_start_attempt']);
  });

  test('is woken by a pass, for what depends on it', async () => {
    const session = await declared();
    await start(session);
    await give(session, 'agent_a');
    await give(session, 'agent_b');
    await judge(session, 'PASS');
    expect(await tools(wait(session, 'agent_b'))).toEqual(['verify_start_attempt']);
  });

  test('is woken by a new commit that makes a pass stale', async () => {
    const session = await declared();
    await start(session);
    await give(session, 'agent_a');
    await give(session, 'agent_b');
    await judge(session, 'PASS');
    const poll = wait(session, 'agent_a');
    await held(session);
    await declare(session, 'agent_b', { commit: NEW_COMMIT });
    expect(await tools(poll)).toEqual(['verify_start_attempt']);
  });

  test.each([
    [
      'waived',
      async (session: OpenedSession) =>
        session.owner.waiveDefect(session.sessionId, {
          defect_id: 'def_1',
          reason: 'Rare.',
          seen: await seenIn(session.owner, session.sessionId),
        }),
      'verify_start_attempt',
    ],
    [
      'reassigned',
      async (session: OpenedSession) =>
        session.owner.reassignDefect(session.sessionId, {
          defect_id: 'def_1',
          role: 'agent_a',
          seen: await seenIn(session.owner, session.sessionId),
        }),
      'verify_handshake',
    ],
  ])('is woken by a defect that is %s', async (_what, act, tool) => {
    const session = await declared();
    await start(session);
    await judge(session, 'FAIL');
    const poll = wait(session, 'agent_a');
    await held(session);
    await act(session);
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

  test('names the same work as in wait_for_my_turn', async () => {
    const session = await declared();
    await start(session);
    const poll = session.agentB.call('wait_for_my_turn', { wait: 25 });
    await held(session);
    await give(session, 'agent_a');
    expect((await poll).instruction.tool).toBe('verify_verify');
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
