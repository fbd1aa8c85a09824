import { describe, expect, test } from 'vitest';
import { openSession } from '../../../src/testing/index.ts';

const MINUTE_MS = 60_000;

/** A session in which agent_b posted a turn at 09:10, and the owner a directive at 09:20. It is 09:30. */
async function openIdle() {
  const session = await openSession();
  await session.agentA.call('post_turn', { summary: 'First.' });
  session.clock.advance(10 * MINUTE_MS);
  await session.agentB.call('post_turn', { summary: 'Second.' });
  session.clock.advance(10 * MINUTE_MS);
  await session.owner.direct(session.sessionId, { targets: ['agent_b'], text: 'Mind the clock.' });
  session.clock.advance(10 * MINUTE_MS);
  return session;
}

const glanceOf = async ({ owner }: Awaited<ReturnType<typeof openIdle>>) => {
  const [glance] = (await owner.overview()).sessions;
  return [glance?.updated_at, glance?.since];
};

describe('the overview', () => {
  test('does not count pausing and resuming as activity, and adds the latest pause to since', async () => {
    const session = await openIdle();
    const { owner, sessionId, clock } = session;
    const before = ['2026-01-05T09:20:00.000Z', '2026-01-05T09:10:00.000Z'];
    expect(await glanceOf(session)).toEqual(before);
    const { pause_id } = await owner.pauseAll({ reason: 'Lunch.' });
    expect((await glanceOf(session))[0]).toBe('2026-01-05T09:20:00.000Z');
    clock.advance(MINUTE_MS);
    await owner.resumeAll({ pause_id });
    expect(await glanceOf(session)).toEqual(['2026-01-05T09:20:00.000Z', '2026-01-05T09:11:00.000Z']);
    await owner.pause(sessionId, { reason: 'Again.' });
    clock.advance(2 * MINUTE_MS);
    await owner.resume(sessionId);
    expect(await glanceOf(session)).toEqual(['2026-01-05T09:20:00.000Z', '2026-01-05T09:12:00.000Z']);
    await session.agentA.call('post_turn', { summary: 'Third.' });
    expect(await glanceOf(session)).toEqual(['2026-01-05T09:33:00.000Z', '2026-01-05T09:22:00.000Z']);
  });

  test('counts the start as activity if the session was only paused and resumed since', async () => {
    const session = await openSession();
    session.clock.advance(MINUTE_MS);
    await session.owner.pause(session.sessionId, { reason: 'Lunch.' });
    session.clock.advance(MINUTE_MS);
    await session.owner.resume(session.sessionId);
    expect(await glanceOf(session)).toEqual(['2026-01-05T09:00:00.000Z', '2026-01-05T09:01:00.000Z']);
  });

  test('counts an answer of the owner before a pause', async () => {
    const { owner, sessionId, agentA, agentB, clock } = await openSession();
    await agentA.call('post_turn', {
      summary: 'First.',
      questions: [{ to: 'owner', text: 'Which?', blocking: false }],
    });
    await agentB.call('post_turn', { summary: 'Second.' });
    clock.advance(MINUTE_MS);
    await owner.answerQuestion(sessionId, { question_id: 'q_1', text: 'The second.' });
    clock.advance(MINUTE_MS);
    await owner.pause(sessionId, { reason: 'Lunch.' });
    await owner.resume(sessionId);
    expect((await owner.overview()).sessions[0]?.updated_at).toBe('2026-01-05T09:01:00.000Z');
  });

  test('keeps since when an agent becomes silent', async () => {
    const session = await openIdle();
    expect((await glanceOf(session))[1]).toBe('2026-01-05T09:10:00.000Z');
    await session.agentA.call('read_session_state', {});
    await session.agentB.call('read_session_state', {});
    session.clock.advance(16 * MINUTE_MS);
    const [glance] = (await session.owner.overview()).sessions;
    expect(glance?.movers).toEqual(['owner', 'agent_a', 'agent_b']);
    expect(glance?.waits.map(({ wait_id, since }) => [wait_id, since])).toEqual([
      ['AGENT_ABSENT:agent_a', '2026-01-05T09:30:00.000Z'],
      ['AGENT_ABSENT:agent_b', '2026-01-05T09:30:00.000Z'],
    ]);
    expect(glance?.since).toBe('2026-01-05T09:10:00.000Z');
  });
});
