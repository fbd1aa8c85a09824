import { describe, expect, test } from 'vitest';
import { describeOperations } from '../../src/reference.ts';
import { type OpenedSession, openSession } from '../../src/testing/index.ts';
import { held } from '../held.ts';

/** Calls that end agent_b's wait. Before each call agent_a has the turn. */
const WORK: readonly [string, (session: OpenedSession) => Promise<unknown>][] = [
  ['its turn', ({ agentA }) => agentA.call('post_turn', { summary: 'A turn.' })],
  [
    'a question',
    async ({ agentA, owner, sessionId }) => {
      await agentA.call('post_turn', { summary: 'A turn.', questions: ['Which port?'] });
      await owner.pause(sessionId, { reason: 'So that it is nobody’s turn.' });
    },
  ],
  ['an intervention', ({ owner, sessionId }) => owner.ask(sessionId, { targets: ['agent_b'], text: 'Who?' })],
  ['a directive', ({ owner, sessionId }) => owner.direct(sessionId, { targets: ['agent_b'], text: 'Do.' })],
  ['an action', ({ owner, sessionId }) => owner.assignAction(sessionId, { target: 'agent_b', text: 'Do.' })],
];

const wait = ({ agentB }: OpenedSession) => agentB.call('wait_for_my_turn', { wait: 25 });

describe('wait_for_my_turn', () => {
  test.each(WORK)('is woken by %s', async (_what, cause) => {
    const session = await openSession();
    const poll = wait(session);
    await held(session);
    await cause(session);
    expect(await poll).toMatchObject({ timed_out: false });
  });

  test('is woken by a message that is no work', async () => {
    const session = await openSession();
    const poll = wait(session);
    await held(session);
    await session.agentA.call('submit_decision', { topic: 'Store', position: 'PostgreSQL' });
    expect(await poll).toMatchObject({ timed_out: false, your_turn: false });
  });

  test('is woken only by what the role may see', async () => {
    const session = await openSession();
    const poll = wait(session);
    await held(session);
    await session.owner.assignAction(session.sessionId, { target: 'agent_a', text: 'Do.' });
    await session.owner.invite(session.sessionId, { role: 'agent_a' });
    await session.agentA.call('ack_action', { action_id: 'act_1' });
    await held(session);
    session.clock.advance(25_000);
    expect(await poll).toMatchObject({ timed_out: true });
  });

  test('publishes the wait as required, and the cursor as optional', () => {
    const operation = describeOperations().agents.find(({ name }) => name === 'wait_for_my_turn');
    expect(operation?.input.required).toEqual(['wait']);
    expect(Object.keys(operation?.input.properties ?? {})).toEqual(['wait', 'after']);
  });

  test.each([
    ['missing', {}],
    ['null', { wait: null }],
  ])('waits 20 seconds even if the wait is %s', async (_what, input) => {
    const session = await openSession();
    const poll = session.agentB.call('wait_for_my_turn', input as unknown as { wait: number });
    await held(session);
    session.clock.advance(19_999);
    await held(session);
    session.clock.advance(1);
    expect(await poll).toMatchObject({ timed_out: true });
  });

  test('returns with the error when the token is revoked', async () => {
    const session = await openSession();
    const poll = wait(session);
    await held(session);
    await session.owner.revoke(session.sessionId, { role: 'agent_b' });
    await expect(poll).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
  });

  test('returns at once after the end, after any cursor, and names nothing to do', async () => {
    const session = await openSession();
    await session.agentA.call('post_turn', { summary: 'A turn.', questions: ['Which port?'] });
    await session.owner.end(session.sessionId, { end_reason: 'CANCELLED' });
    const answer = await wait(session);
    expect(answer).toMatchObject({ status: 'ENDED', timed_out: false, instruction: { tool: null } });
    const again = session.agentB.call('wait_for_my_turn', { wait: 25, after: answer.cursor });
    expect(await again).toMatchObject({ status: 'ENDED', timed_out: false });
  });

  test('is released if the client disconnects', async () => {
    const session = await openSession();
    const controller = new AbortController();
    const poll = session.agentB.call('wait_for_my_turn', { wait: 25 }, { signal: controller.signal });
    await held(session);
    controller.abort();
    await held(session, 0);
    await poll;
  });
});
