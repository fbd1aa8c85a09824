import { describe, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { acknowledged, directed, intervened, interventionWithdrawn, responded } from '../past.ts';

const input = { intervention_id: 'i_1' };

describe('ack_intervention', () => {
  test('acknowledges a question only for the caller', () => {
    given([intervened('i_1')])
      .when('ack_intervention', input, 'agent_a')
      .thenEvents(acknowledged('agent_a', 'i_1'))
      .thenReply({
        intervention: {
          intervention_id: 'i_1',
          type: 'QUESTION',
          targets: ['agent_a', 'agent_b'],
          status: 'ACKNOWLEDGED',
        },
      });
  });

  test('fulfills the obligation of a directive', () => {
    given([directed('i_1')])
      .when('ack_intervention', input, 'agent_b')
      .thenEvents(acknowledged('agent_b', 'i_1'), {
        kind: 'action.fulfilled',
        actor: 'system',
        data: { action_id: 'act_2', due_to: 'agent_b' },
      });
  });

  test.each([acknowledged('agent_a', 'i_1'), responded('agent_a', 'i_1', 'We do.')])(
    'adds nothing after $kind',
    (event) => {
      given([intervened('i_1'), event])
        .when('ack_intervention', input, 'agent_a')
        .thenEvents();
    },
  );

  test.each([
    ['an unknown intervention', []],
    ['an intervention to the other agent', [intervened('i_1', { targets: ['agent_b'] })]],
  ])('refuses %s as an unknown record', (_what, past) => {
    given(past)
      .when('ack_intervention', input, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'intervention', id: 'i_1' } });
  });

  test('refuses a withdrawn intervention', () => {
    given([directed('i_1'), interventionWithdrawn('i_1')])
      .when('ack_intervention', input, 'agent_a')
      .thenFails('INTERVENTION_CLOSED', { status: 'WITHDRAWN' });
  });
});
