import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import {
  approvals,
  assess,
  atOnce,
  findAsModerator,
  findLightly,
  heldToTheEnd,
  hold,
  mapped,
  opened,
  propose,
  respond,
} from '../happenings.ts';
import { held } from '../held.ts';

describe('a wait of the moderator', () => {
  /** A session whose moderator has acknowledged every event and has an open obligation: to assess a response. */
  async function owing(): Promise<{ session: OpenedSession; head: number }> {
    const session = await opened([...mapped, findAsModerator, respond]);
    const { head } = await session.moderator.call('get_moderator_status');
    await session.moderator.call('ack_events', { cursor: head });
    return { session, head };
  }

  const WAITS = {
    read_session_state: ({ moderator }: OpenedSession, after?: number) =>
      moderator.call('read_session_state', { wait: 25, after }),
    get_session_events: ({ moderator }: OpenedSession, after?: number) =>
      moderator.call('get_session_events', { wait: 25, after }),
    wait_for_activity: ({ moderator }: OpenedSession, after?: number) =>
      moderator.call('wait_for_activity', { wait_seconds: 25, after }),
  } as const;
  const TOOLS: readonly (readonly [string, (session: OpenedSession, after?: number) => Promise<unknown>])[] =
    Object.entries(WAITS);

  test.each(TOOLS)(
    'by %s is answered at once for an action, though every event is acknowledged',
    async (_tool, poll) => {
      const { session } = await owing();
      expect(await atOnce(session, poll(session))).toMatchObject({
        status: 'ACTIVE',
        timed_out: false,
        pending_actions: [{ type: 'ASSESS_RESPONSE' }],
      });
    },
  );

  test.each(TOOLS)('by %s is answered at once for an event, though no action is due', async (_tool, poll) => {
    const session = await opened([]);
    expect(await atOnce(session, poll(session))).toMatchObject({
      status: 'ACTIVE',
      timed_out: false,
      pending_actions: [],
    });
  });

  test.each(TOOLS)('by %s after the head is held with an action that is still due', async (_tool, poll) => {
    const { session, head } = await owing();
    expect(await heldToTheEnd(session, poll(session, head))).toMatchObject({ status: 'ACTIVE', timed_out: true });
  });

  test.each(TOOLS)('by %s after the head is ended by the next event', async (_tool, poll) => {
    const { session, head } = await owing();
    const waiting = poll(session, head);
    await held(session);
    await session.agentB.call('submit_decision', { topic: 'Cache', position: 'None' });
    expect(await waiting).toMatchObject({ timed_out: false });
  });

  test.each(TOOLS)('by %s is held when it has acknowledged all events but its own', async (_tool, poll) => {
    const session = await opened([]);
    const { head } = await session.moderator.call('get_moderator_status');
    await session.moderator.call('ack_events', { cursor: head });
    await session.moderator.call('ask_agent', { text: 'Is it indexed?' });
    const waiting = poll(session);
    await held(session);
    await session.agentB.call('submit_decision', { topic: 'Cache', position: 'None' });
    expect(await waiting).toMatchObject({ timed_out: false });
  });

  test.each(TOOLS)(
    'by %s after the head is held after its own question, with events that it has not acknowledged',
    async (_tool, poll) => {
      const session = await opened([...mapped, findAsModerator, respond]);
      const { head } = await session.moderator.call('get_moderator_status');
      await session.moderator.call('ask_agent', { text: 'Is it indexed?', targets: ['agent_a'] });
      const waiting = poll(session, head);
      await held(session);
      await session.agentB.call('submit_decision', { topic: 'Cache', position: 'None' });
      expect(await waiting).toMatchObject({ timed_out: false });
    },
  );

  test('for the state is held after its own question while nobody but the moderator can go on', async () => {
    const session = await opened([...mapped, ...approvals, findLightly, hold, assess]);
    const { head } = await session.moderator.call('get_moderator_status');
    await session.moderator.call('ack_events', { cursor: head });
    await session.moderator.call('ask_agent', { text: 'Is it indexed?', targets: ['agent_a'] });
    expect(await heldToTheEnd(session, WAITS.read_session_state(session, head))).toMatchObject({
      instruction: { tool: 'release_hold' },
    });
  });

  test('is held after a call of the moderator to which the service added events', async () => {
    const session = await opened([]);
    const { moderator } = session;
    await moderator.call('ask_agent', { text: 'Is it indexed?' });
    await session.agentA.call('answer_intervention', { intervention_id: 'i_1', text: 'It is.' });
    const { head } = await moderator.call('get_moderator_status');
    await moderator.call('ack_events', { cursor: head });
    await moderator.call('withdraw_question', { intervention_id: 'i_1' });
    const { events } = await moderator.call('get_session_events', {});
    expect(events.map(({ kind }) => kind)).toEqual(['intervention.withdrawn', 'action.fulfilled']);
    expect(await heldToTheEnd(session, WAITS.get_session_events(session))).toMatchObject({ timed_out: true });
  });

  test('by wait_for_activity shows the events after the cursor, not those that it has seen', async () => {
    const session = await opened([propose]);
    const answer = await session.moderator.call('wait_for_activity', { wait_seconds: 25, after: 8 });
    expect(answer).toMatchObject({ events: [{ id: 9 }], next_cursor: 9, acked_cursor: 0, timed_out: false });
  });

  test('for the state is answered at once while nobody but the moderator can go on', async () => {
    const session = await opened([...mapped, ...approvals, findLightly, hold, assess]);
    const { head } = await session.moderator.call('get_moderator_status');
    await session.moderator.call('ack_events', { cursor: head });
    const answer = await atOnce(session, WAITS.read_session_state(session));
    expect(answer).toMatchObject({ timed_out: false, instruction: { tool: 'release_hold' } });
    await heldToTheEnd(session, WAITS.read_session_state(session, answer.cursor));
  });
});
