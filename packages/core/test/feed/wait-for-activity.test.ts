import { describe, expect, test } from 'vitest';
import { given, type OpenedSession, openSession } from '../../src/testing/index.ts';
import { held } from '../held.ts';
import { taskAssigned } from '../past.ts';

/** A session whose moderator has acknowledged every event. */
async function caughtUp(): Promise<OpenedSession> {
  const session = await openSession();
  const { head } = await session.moderator.call('get_moderator_status');
  await session.moderator.call('ack_events', { cursor: head });
  return session;
}

type Options = { readonly signal?: AbortSignal };

const POLLS: readonly (readonly [string, (session: OpenedSession, options?: Options) => Promise<unknown>])[] = [
  ['wait_for_activity', ({ moderator }, options) => moderator.call('wait_for_activity', { wait_seconds: 25 }, options)],
  ['get_session_events', ({ moderator }, options) => moderator.call('get_session_events', { wait: 25 }, options)],
];

/** Calls whose events the moderator cannot see, so they must not end its wait. */
const HIDDEN: readonly (readonly [string, (session: OpenedSession) => Promise<unknown>])[] = [
  ['a task of a builder', ({ owner, sessionId }) => owner.assignAction(sessionId, { target: 'agent_a', text: 'Do.' })],
  ['an invitation', ({ owner, sessionId }) => owner.invite(sessionId, { role: 'agent_a' })],
  ['its own acknowledgement', ({ moderator }) => moderator.call('ack_events', { cursor: 8 })],
];

describe.each(POLLS)('%s, waiting', (_name, poll) => {
  test('is woken by an event that the moderator sees', async () => {
    const session = await caughtUp();
    const waiting = poll(session);
    await held(session);
    await session.agentA.call('post_turn', { summary: 'A turn.' });
    expect(await waiting).toMatchObject({
      events: [{ id: 10, kind: 'turn.posted' }],
      next_cursor: 10,
      acked_cursor: 8,
      head: 10,
      timed_out: false,
    });
  });

  test('returns the end of the session immediately, even if it is acknowledged', async () => {
    const session = await caughtUp();
    const waiting = poll(session);
    await held(session);
    await session.owner.end(session.sessionId, { end_reason: 'CANCELLED' });
    const ended = { events: [{ id: 10, kind: 'session.ended' }], status: 'ENDED', timed_out: false };
    expect(await waiting).toMatchObject(ended);
    expect(await poll(session)).toMatchObject(ended);
    expect(await session.moderator.call('ack_events', { cursor: 10 })).toEqual({ acked_cursor: 10, head: 10 });
    expect(await poll(session)).toMatchObject({ events: [], acked_cursor: 10, status: 'ENDED', timed_out: false });
  });

  test.each(HIDDEN)('is not woken by %s, and no cursor points at it', async (_what, happen) => {
    const session = await caughtUp();
    const waiting = poll(session);
    await held(session);
    await happen(session);
    await held(session);
    session.clock.advance(25_000);
    expect(await waiting).toMatchObject({ events: [], next_cursor: 8, acked_cursor: 8, head: 8, timed_out: true });
    expect(await session.moderator.call('get_moderator_status')).toMatchObject({ acked_cursor: 8, head: 8 });
  });

  test.each([
    [
      'the stop of the moderator',
      'MODERATOR_STOPPED',
      ({ owner, sessionId }: OpenedSession) => owner.stopModerator(sessionId),
    ],
    [
      'the loss of the entitlement',
      'MODERATOR_NOT_ENTITLED',
      ({ owner }: OpenedSession) => owner.setModeratorEntitlement({ entitled: false }),
    ],
    [
      'a revocation',
      'TOKEN_REVOKED',
      ({ owner, sessionId }: OpenedSession) => owner.revoke(sessionId, { role: 'moderator' }),
    ],
    [
      'the redemption of another invitation',
      'TOKEN_REVOKED',
      async ({ owner, sessionId, parley }: OpenedSession) => {
        const { code } = await owner.invite(sessionId, { role: 'moderator' });
        await parley.redeem({ code });
      },
    ],
  ] as const)('is ended at once by %s', async (_what, code, end) => {
    const session = await caughtUp();
    const refused = expect(poll(session)).rejects.toMatchObject({ code });
    const builder = session.agentB.call('wait_for_my_turn', { wait: 25 });
    await held(session, 2);
    await end(session);
    await refused;
    await held(session);
    session.clock.advance(25_000);
    await builder;
  });

  test('is released if the client disconnects', async () => {
    const session = await caughtUp();
    const controller = new AbortController();
    const waiting = poll(session, { signal: controller.signal });
    await held(session);
    controller.abort();
    await held(session, 0);
    await waiting;
  });
});

describe('get_session_events', () => {
  test('waits for events after the given cursor, not after the acknowledged cursor', async () => {
    const session = await openSession();
    const waiting = session.moderator.call('get_session_events', { after: 8, wait: 25 });
    await held(session);
    await session.agentA.call('post_turn', { summary: 'A turn.' });
    expect(await waiting).toMatchObject({ events: [{ id: 9 }], acked_cursor: 0, timed_out: false });
  });

  test('does not wait unless told to', async () => {
    const session = await caughtUp();
    const idle = { events: [], next_cursor: 8, acked_cursor: 8, head: 8 };
    expect(await session.moderator.call('get_session_events')).toEqual(idle);
    expect(await session.moderator.call('get_session_events', { wait: 0 })).toEqual(idle);
  });
});

describe('wait_for_activity', () => {
  test('returns the events and the due actions', () => {
    given([taskAssigned('act_1', 'moderator')])
      .when('wait_for_activity', { wait_seconds: 0 }, 'moderator')
      .thenReply({
        events: [
          {
            id: 5,
            at: '2026-01-05T09:00:00.000Z',
            kind: 'session.started',
            actor: 'owner',
            subject: { type: 'session', id: 'SessionOfTheGivenTests' },
            data: {},
          },
          {
            id: 6,
            at: '2026-01-05T09:00:00.000Z',
            kind: 'action.opened',
            actor: 'owner',
            subject: { type: 'action', id: 'act_1' },
            data: { type: 'OWNER_TASK' },
          },
        ],
        next_cursor: 6,
        acked_cursor: 0,
        head: 6,
        status: 'ACTIVE',
        timed_out: false,
        pending_actions: [
          {
            action_id: 'act_1',
            type: 'OWNER_TASK',
            text: 'Write the changelog.',
            status: 'PENDING',
            due_to: 'moderator',
            from: 'owner',
            opened_at: '2026-01-05T09:00:00.000Z',
          },
        ],
      });
  });

  test('waits again once the action is completed', async () => {
    const session = await caughtUp();
    await session.owner.assignAction(session.sessionId, { target: 'moderator', text: 'Look at the risks.' });
    await session.moderator.call('complete_action', { action_id: 'act_1' });
    const { head } = await session.moderator.call('get_moderator_status');
    await session.moderator.call('ack_events', { cursor: head });
    const waiting = session.moderator.call('wait_for_activity', { wait_seconds: 25 });
    await held(session);
    session.clock.advance(25_000);
    expect(await waiting).toMatchObject({ events: [], pending_actions: [], timed_out: true });
  });

  test('waits 20 seconds by default, and 25 at most', async () => {
    const session = await caughtUp();
    const usual = session.moderator.call('wait_for_activity');
    await held(session);
    session.clock.advance(19_999);
    await held(session);
    session.clock.advance(1);
    expect(await usual).toMatchObject({ timed_out: true });
    const longest = session.moderator.call('wait_for_activity', { wait_seconds: 90 });
    await held(session);
    session.clock.advance(24_999);
    await held(session);
    session.clock.advance(1);
    expect(await longest).toMatchObject({ timed_out: true });
  });

  test.each([-1, 'x'])('refuses to wait %j seconds', (wait_seconds) => {
    const { issues } = given()
      .when('wait_for_activity', { wait_seconds } as never, 'moderator')
      .refusal();
    expect(issues).toMatchObject([{ path: 'wait_seconds' }]);
  });
});
