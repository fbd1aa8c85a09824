import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { acknowledged, directed, intervened, interventionWithdrawn, responded } from '../past.ts';

const input = { intervention_id: 'i_1', text: 'The stock service.' };

describe('answer_intervention', () => {
  test('answers only for the caller', () => {
    const { intervention } = given([intervened('i_1')])
      .when('answer_intervention', input, 'agent_b')
      .thenEvents(responded('agent_b', 'i_1', 'The stock service.'))
      .reply();
    expect(intervention).toEqual({
      intervention_id: 'i_1',
      type: 'QUESTION',
      targets: ['agent_a', 'agent_b'],
      status: 'ANSWERED',
    });
    const past = [intervened('i_1'), responded('agent_b', 'i_1', 'The stock service.')];
    expect(given(past).when('list_interventions', {}, 'agent_a').reply().interventions[0]?.responses).toEqual([
      { role: 'agent_a', status: 'OPEN', text: null, at: null },
      { role: 'agent_b', status: 'ANSWERED', text: 'The stock service.', at: '2026-01-05T09:00:00.000Z' },
    ]);
  });

  test('works after an acknowledgement', () => {
    given([intervened('i_1'), acknowledged('agent_b', 'i_1')])
      .when('answer_intervention', input, 'agent_b')
      .thenEvents(responded('agent_b', 'i_1', 'The stock service.'));
  });

  test('acknowledges a directive on the way', () => {
    given([directed('i_1', { targets: ['agent_b'] })])
      .when('answer_intervention', input, 'agent_b')
      .thenEvents(responded('agent_b', 'i_1', 'The stock service.'), {
        kind: 'action.fulfilled',
        actor: 'system',
        data: { action_id: 'act_1', due_to: 'agent_b' },
      });
  });

  test('stores nothing for the same answer again', () => {
    given([intervened('i_1'), responded('agent_b', 'i_1', 'The stock service.')])
      .when('answer_intervention', input, 'agent_b')
      .thenEvents();
  });

  test('refuses another answer', () => {
    given([intervened('i_1'), responded('agent_b', 'i_1', 'We do.')])
      .when('answer_intervention', input, 'agent_b')
      .thenFails('ALREADY_ANSWERED', { intervention_id: 'i_1' });
  });

  test.each([
    ['an unknown intervention', []],
    ['an intervention to the other agent', [intervened('i_1', { targets: ['agent_a'] })]],
  ])('refuses %s as an unknown record', (_what, past) => {
    given(past)
      .when('answer_intervention', input, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'intervention', id: 'i_1' } });
  });

  test('refuses a withdrawn intervention', () => {
    given([intervened('i_1'), interventionWithdrawn('i_1')])
      .when('answer_intervention', input, 'agent_b')
      .thenFails('INTERVENTION_CLOSED', { status: 'WITHDRAWN' });
  });
});
