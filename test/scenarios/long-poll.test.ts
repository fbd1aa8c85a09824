import type { Json } from '@parley/missions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVirtualClock } from './support/virtual-clock.ts';
import { gatherIn, overMcp, type SeatedCast, type World } from './support/world.ts';

const HELD_MS = 25_000;

describe('a held poll', () => {
  const { open } = overMcp();
  const clock = createVirtualClock();
  let world: World;
  let cast: SeatedCast;
  beforeAll(async () => {
    world = await open(clock);
  });
  beforeEach(async () => {
    cast = await gatherIn(world);
  });
  afterAll(() => world.close());

  /** Starts a wait of agent_b that is held: agent_a has the turn, and agent_b has no other work. */
  async function hold(): Promise<{ answer: Promise<Json> }> {
    const answer = cast.agents.agent_b('wait_for_my_turn', { wait: 25 });
    await clock.pending(HELD_MS, 1);
    return { answer };
  }

  const byOwner = (operation: string, input: Json) => world.owner.call(operation, cast.sessionId, input);

  test.each<[string, () => Promise<unknown>, Json]>([
    [
      'the other agent posts its turn',
      () => cast.agents.agent_a('post_turn', { summary: 'Your turn.' }),
      { your_turn: true, turn_index: 1 },
    ],
    [
      'the other agent says something without a turn',
      () => cast.agents.agent_a('submit_decision', { topic: 'Cursor', position: 'Opaque.' }),
      { your_turn: false, turn_index: 0 },
    ],
    [
      'the owner asks it a question',
      () => byOwner('ask', { targets: ['agent_b'], text: 'How many products?' }),
      { open_interventions: [expect.objectContaining({ intervention_id: 'i_1', type: 'QUESTION', status: 'OPEN' })] },
    ],
    [
      'the owner gives it a directive',
      () => byOwner('direct', { targets: ['agent_b'], text: 'Staging only.' }),
      { owner_directives: [expect.objectContaining({ intervention_id: 'i_1', type: 'DIRECTIVE', status: 'OPEN' })] },
    ],
    [
      'the owner assigns it an action',
      () => byOwner('assignAction', { target: 'agent_b', text: 'Count the products.' }),
      { pending_actions: [expect.objectContaining({ action_id: 'act_1', type: 'OWNER_TASK', status: 'PENDING' })] },
    ],
    ['the owner pauses the session', () => byOwner('pause', { reason: 'Lunch.' }), { status: 'PAUSED' }],
  ])('ends when %s', async (_cause, act, expected) => {
    const poll = await hold();
    await act();
    expect(await poll.answer).toMatchObject({ ...expected, timed_out: false });
  });

  test('ends when the other agent asks it a question in a turn', async () => {
    await cast.agents.agent_a('post_turn', { summary: 'First.' });
    await cast.agents.agent_b('post_turn', { summary: 'Second.', questions: ['Which index?'] });
    const state = await cast.agents.agent_a('wait_for_my_turn', { wait: 25 });
    expect(state).toMatchObject({ your_turn: true, open_questions: [{ question_id: 'q_1', text: 'Which index?' }] });
  });

  test('answers at once, each time, while a question is open', async () => {
    await byOwner('ask', { targets: ['agent_b'], text: 'How many products?' });
    for (const _again of [1, 2, 3]) {
      const state = await cast.agents.agent_b('read_session_state', { wait: 25 });
      expect(state).toMatchObject({ your_turn: false, timed_out: false });
    }
  });

  test('is held while a question is open that its cursor has passed', async () => {
    await byOwner('ask', { targets: ['agent_b'], text: 'How many products?' });
    const { cursor } = await cast.agents.agent_b('read_session_state', {});
    const poll = cast.agents.agent_b('wait_for_my_turn', { wait: 25, after: cursor });
    await clock.pending(HELD_MS, 1);
    clock.advance(HELD_MS);
    expect(await poll).toMatchObject({ timed_out: true, instruction: { tool: 'answer_intervention' } });
  });

  test('outlasts everything its agent may not see, and answers after 25 seconds without news', async () => {
    await byOwner('direct', { targets: ['agent_a'], text: 'Staging only.' });
    const before = await cast.agents.agent_b('read_session_state', {});
    const poll = await hold();
    const answers: Json[] = [];
    const answered = poll.answer.then((answer) => answers.push(answer));

    await cast.agents.agent_a('ack_intervention', { intervention_id: 'i_1' });
    await byOwner('assignAction', { target: 'agent_a', text: 'Count the pages.' });
    await cast.agents.agent_a('ack_action', { action_id: 'act_2' });
    const invitation = await byOwner('invite', { role: 'agent_a' });
    await world.door.redeem(String(invitation.code));
    clock.advance(24_000);
    expect(await cast.agents.agent_b('read_session_state', {})).toMatchObject({ cursor: before.cursor });
    expect(answers).toEqual([]);

    clock.advance(1_000);
    await answered;
    expect(answers).toMatchObject([{ timed_out: true, your_turn: false, cursor: before.cursor }]);
  });

  test('counts a wait above 25 seconds as 25', async () => {
    const poll = cast.agents.agent_b('read_session_state', { wait: 600 });
    await clock.pending(HELD_MS, 1);
    clock.advance(HELD_MS);
    expect(await poll).toMatchObject({ timed_out: true });
  });
});
