import { describe, expect, test } from 'vitest';
import { given, openSession } from '../../src/testing/index.ts';
import { held } from '../held.ts';

describe('read_session_state', () => {
  test('answers at once without wait, and without the member timed_out', () => {
    expect(given().when('read_session_state', {}, 'agent_b').reply()).not.toHaveProperty('timed_out');
  });

  test('answers at once when somebody else’s message is newer than the cursor', async () => {
    const { agentB } = await openSession();
    const state = await agentB.call('read_session_state', { wait: 25, after: 7 });
    expect(state).toMatchObject({ timed_out: false, cursor: 8 });
  });

  test('holds when the newer messages are the caller’s own', async () => {
    const session = await openSession();
    await session.agentA.call('post_turn', { summary: 'A turn.' });
    const poll = session.agentA.call('read_session_state', { wait: 5, after: 8 });
    await held(session);
    session.clock.advance(5_000);
    expect(await poll).toMatchObject({ timed_out: true, cursor: 9 });
  });

  test('counts a wait above 25 seconds as 25', async () => {
    const session = await openSession();
    const poll = session.agentB.call('read_session_state', { wait: 1_000 });
    await held(session);
    session.clock.advance(24_999);
    await held(session);
    session.clock.advance(1);
    expect(await poll).toMatchObject({ timed_out: true });
  });

  test.each([-1, '-1', 'soon', true, {}])('refuses to wait %j', (wait) => {
    given()
      .when('read_session_state', { wait: wait as number }, 'agent_a')
      .thenFails('INVALID_INPUT');
  });

  test.each([-1, 1.5, 'x'])('refuses the cursor %j', (after) => {
    given()
      .when('read_session_state', { after: after as number }, 'agent_a')
      .thenFails('INVALID_INPUT');
  });
});
