import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { answersQuestion, asksBuilders, revoked, stopped } from '../moderation.ts';
import { actionCompleted, intervened } from '../past.ts';
import { play } from '../story.ts';

const asked = play([], [asksBuilders()]);
const once = play(asked, [answersQuestion('agent_a')]);
const twice = play(once, [answersQuestion('agent_b', 'i_1', 'No, they do.')]);

const opened = (action_id: string, by: string): PastEvent => ({
  kind: 'action.opened',
  actor: 'system',
  data: {
    action_id,
    due_to: 'moderator',
    type: 'CHECK_ANSWER',
    text: `Check the answer of ${by} to question i_1 with get_moderator_questions, then call complete_action.`,
    about: { type: 'intervention', id: 'i_1' },
  },
});

const pending = (past: readonly PastEvent[]) =>
  given(past)
    .when('get_moderator_status', {}, 'moderator')
    .reply()
    .pending_actions.map(({ action_id, type }) => `${action_id} ${type}`);

describe('CHECK_ANSWER', () => {
  test('is opened by each answer to the moderator’s question', () => {
    const answer = (by: 'agent_a' | 'agent_b', past: readonly PastEvent[]) =>
      given(past).when('answer_intervention', { intervention_id: 'i_1', text: 'We do.' }, by);
    const answered = (actor: 'agent_a' | 'agent_b'): PastEvent => ({
      kind: 'intervention.answered',
      actor,
      data: { intervention_id: 'i_1', text: 'We do.' },
    });
    answer('agent_a', asked).thenEvents(answered('agent_a'), opened('act_1', 'agent_a'));
    answer('agent_b', once).thenEvents(answered('agent_b'), opened('act_2', 'agent_b'));
  });

  test('is opened by no answer to a question of the owner, and by no repeated answer', () => {
    given([intervened('i_1')])
      .when('answer_intervention', { intervention_id: 'i_1', text: 'We do.' }, 'agent_a')
      .thenEvents({
        kind: 'intervention.answered',
        actor: 'agent_a',
        data: { intervention_id: 'i_1', text: 'We do.' },
      });
    given(once).when('answer_intervention', { intervention_id: 'i_1', text: 'We do.' }, 'agent_a').thenEvents();
  });

  test('describes its subject, and only the moderator must complete it', () => {
    const { pending_actions } = given(once).when('get_moderator_status', {}, 'moderator').reply();
    expect(pending_actions).toEqual([
      {
        action_id: 'act_1',
        type: 'CHECK_ANSWER',
        text: 'Check the answer of agent_a to question i_1 with get_moderator_questions, then call complete_action.',
        about: { type: 'intervention', id: 'i_1' },
        status: 'PENDING',
        due_to: 'moderator',
        from: 'system',
        opened_at: '2026-01-05T09:00:00.000Z',
      },
    ]);
    given(once).when('poll_actions', {}, 'agent_a').thenReply({ actions: [] });
  });

  test('stays until it is completed', () => {
    expect(pending(twice)).toEqual(['act_1 CHECK_ANSWER', 'act_2 CHECK_ANSWER']);
    given(twice)
      .when('complete_action', { action_id: 'act_1' }, 'moderator')
      .thenEvents(actionCompleted('moderator', 'act_1', 'CHECK_ANSWER'));
    expect(pending([...twice, actionCompleted('moderator', 'act_1', 'CHECK_ANSWER')])).toEqual(['act_2 CHECK_ANSWER']);
  });

  test('is fulfilled when its question is withdrawn, unless it was completed already', () => {
    const fulfilled = (action_id: string): PastEvent => ({
      kind: 'action.fulfilled',
      actor: 'system',
      data: { action_id, due_to: 'moderator' },
    });
    const withdrawn: PastEvent = {
      kind: 'intervention.withdrawn',
      actor: 'moderator',
      data: { intervention_id: 'i_1', outcome: 'RESOLVED' },
    };
    const withdraw = (past: readonly PastEvent[]) =>
      given(past).when('withdraw_question', { intervention_id: 'i_1', outcome: 'RESOLVED' }, 'moderator');
    withdraw(once).thenEvents(withdrawn, fulfilled('act_1'));
    withdraw([...once, actionCompleted('moderator', 'act_1', 'CHECK_ANSWER')]).thenEvents(withdrawn);
    expect(pending(play(once, [['moderator', 'withdraw_question', { intervention_id: 'i_1' }]]))).toEqual([]);
  });

  test('stays open if another question is withdrawn', () => {
    const past = play(asked, [
      asksBuilders({ text: 'Who tries it?' }),
      answersQuestion('agent_a'),
      answersQuestion('agent_a', 'i_2'),
    ]);
    const withdrawn = play(past, [['moderator', 'withdraw_question', { intervention_id: 'i_1' }]]);
    expect(pending(withdrawn)).toEqual(['act_2 CHECK_ANSWER']);
  });

  test.each([
    ['stopped', stopped],
    ['revoked', revoked],
  ])('waits for a moderator that is %s', (_what, event) => {
    given([...asked, event])
      .when('answer_intervention', { intervention_id: 'i_1', text: 'We do.' }, 'agent_a')
      .thenEvents(
        { kind: 'intervention.answered', actor: 'agent_a', data: { intervention_id: 'i_1', text: 'We do.' } },
        opened('act_1', 'agent_a'),
      );
  });
});

describe('complete_action', () => {
  test('leaves a completed action of the moderator as it is', () => {
    given([...once, actionCompleted('moderator', 'act_1', 'CHECK_ANSWER')])
      .when('complete_action', { action_id: 'act_1' }, 'moderator')
      .thenEvents();
  });
});
