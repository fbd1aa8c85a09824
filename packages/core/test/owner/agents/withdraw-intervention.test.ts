import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { directed, intervened, interventionWithdrawn, responded } from '../../past.ts';

const input = { intervention_id: 'i_1' };

describe('withdraw_intervention', () => {
  test('withdraws a question; answers given before it stay', () => {
    const { intervention } = given([intervened('i_1'), responded('agent_a', 'i_1', 'We do.')])
      .when('withdrawIntervention', input, 'owner')
      .thenEvents(interventionWithdrawn('i_1'))
      .reply();
    expect(intervention.responses.map(({ role, status }) => [role, status])).toEqual([
      ['agent_a', 'ANSWERED'],
      ['agent_b', 'WITHDRAWN'],
    ]);
  });

  test('withdraws a directive and its obligations', () => {
    given([directed('i_1', { targets: ['agent_b'] })])
      .when('withdrawIntervention', input, 'owner')
      .thenEvents(interventionWithdrawn('i_1'), {
        kind: 'action.fulfilled',
        actor: 'system',
        data: { action_id: 'act_1', due_to: 'agent_b' },
      });
  });

  test('withdraws a directive that all have answered, because it binds them until it is withdrawn', () => {
    given([directed('i_1', { targets: ['agent_b'] }), responded('agent_b', 'i_1', 'Understood.')])
      .when('withdrawIntervention', input, 'owner')
      .thenEvents(interventionWithdrawn('i_1'));
  });

  test('refuses an unknown intervention', () => {
    given()
      .when('withdrawIntervention', input, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'intervention', id: 'i_1' } });
  });

  test('refuses a question of the moderator', () => {
    given([{ ...intervened('i_1'), actor: 'moderator' }])
      .when('withdrawIntervention', input, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'intervention', id: 'i_1' } });
  });

  test('refuses to withdraw twice', () => {
    given([intervened('i_1'), interventionWithdrawn('i_1')])
      .when('withdrawIntervention', input, 'owner')
      .thenFails('INTERVENTION_CLOSED', { status: 'WITHDRAWN' });
  });

  test('refuses a question that all targets have answered', () => {
    given([intervened('i_1', { targets: ['agent_a'] }), responded('agent_a', 'i_1', 'We do.')])
      .when('withdrawIntervention', input, 'owner')
      .thenFails('INTERVENTION_CLOSED', { status: 'ANSWERED' });
  });

  describeOwner('withdrawIntervention', { past: [intervened('i_1')], input, statuses: NOT_ENDED });
});
