import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { answersQuestion, asksBuilders } from '../moderation.ts';
import { intervened } from '../past.ts';
import { play, submitted } from '../story.ts';

const asked = play([], [asksBuilders()]);
const withdraw = (past: readonly PastEvent[] = asked, changes: Readonly<Record<string, unknown>> = {}) =>
  given(past).when('withdraw_question', { intervention_id: 'i_1', ...changes }, 'moderator');

describe('withdraw_question', () => {
  test.each([
    [undefined, 'WITHDRAWN'],
    ['WITHDRAWN', 'WITHDRAWN'],
    ['RESOLVED', 'RESOLVED'],
    ['OBSOLETE', 'OBSOLETE'],
  ])('accepts the outcome %s', (outcome, stored) => {
    const given_ = withdraw(asked, { outcome }).thenEvents({
      kind: 'intervention.withdrawn',
      actor: 'moderator',
      data: { intervention_id: 'i_1', outcome: stored as 'WITHDRAWN' },
    });
    expect(given_.reply().question).toMatchObject({ intervention_id: 'i_1', status: 'WITHDRAWN' });
  });

  test('keeps the names of those who answered, and the answers for a read by the id of the question', () => {
    const answered = play(asked, [answersQuestion('agent_a')]);
    const after = given(play(answered, [['moderator', 'withdraw_question', { intervention_id: 'i_1' }]]));
    const [listed] = after.when('get_moderator_questions', {}, 'moderator').reply().questions;
    expect(listed?.responses.map(({ role, status, text }) => [role, status, text])).toEqual([
      ['agent_a', 'ANSWERED', null],
      ['agent_b', 'WITHDRAWN', null],
    ]);
    expect(listed?.status).toBe('WITHDRAWN');
    const { questions } = after.when('get_moderator_questions', { intervention_id: 'i_1' }, 'moderator').reply();
    expect(questions[0]?.responses[0]).toMatchObject({ status: 'ANSWERED', text: 'We do.' });
  });

  test('removes the blocker of the question', () => {
    const blocking = play(submitted, [asksBuilders({ blocking: true })]);
    const codes = (past: readonly PastEvent[]) =>
      given(past)
        .when('list_blockers', {}, 'agent_a')
        .reply()
        .blockers.map(({ code }) => code);
    expect(codes(blocking)).toContain('INTERVENTION_UNANSWERED');
    const past = play(blocking, [['moderator', 'withdraw_question', { intervention_id: 'i_1' }]]);
    expect(codes(past)).not.toContain('INTERVENTION_UNANSWERED');
  });

  test('prevents further answers of the builders', () => {
    const past = play(asked, [['moderator', 'withdraw_question', { intervention_id: 'i_1', outcome: 'OBSOLETE' }]]);
    given(past)
      .when('answer_intervention', { intervention_id: 'i_1', text: 'We do.' }, 'agent_a')
      .thenFails('INTERVENTION_CLOSED', { status: 'OBSOLETE' });
  });

  test.each(['WITHDRAWN', 'RESOLVED', 'OBSOLETE'] as const)('refuses a question that is %s', (outcome) => {
    const past = play(asked, [['moderator', 'withdraw_question', { intervention_id: 'i_1', outcome }]]);
    withdraw(past).thenFails('INTERVENTION_CLOSED', { status: outcome });
  });

  test('refuses a question that all targets have answered', () => {
    const past = play(asked, [answersQuestion('agent_a'), answersQuestion('agent_b')]);
    withdraw(past).thenFails('INTERVENTION_CLOSED', { status: 'ANSWERED' });
  });

  test.each([
    ['a question of the owner', [intervened('i_1')]],
    ['an unknown question', []],
  ])('refuses %s', (_what, past) => {
    withdraw(past).thenFails('UNKNOWN_RECORD', { record: { type: 'intervention', id: 'i_1' } });
  });

  test('refuses another outcome', () => {
    expect(withdraw(asked, { outcome: 'ANSWERED' }).refusal().issues).toMatchObject([{ path: 'outcome' }]);
  });
});
