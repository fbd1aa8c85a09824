import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { actionAcknowledged, actionCompleted, directed, taskAssigned } from '../past.ts';

const task = taskAssigned('act_1', 'agent_b');
const input = { action_id: 'act_1' };

describe('ack_action', () => {
  test('marks a pending action acknowledged', () => {
    given([task])
      .when('ack_action', input, 'agent_b')
      .thenEvents(actionAcknowledged('agent_b', 'act_1'))
      .thenReply({
        action: {
          action_id: 'act_1',
          type: 'OWNER_TASK',
          status: 'ACKNOWLEDGED',
        },
      });
  });

  test('stores nothing the second time', () => {
    const outcome = given([task, actionAcknowledged('agent_b', 'act_1')]).when('ack_action', input, 'agent_b');
    expect(outcome.thenEvents().reply().action.status).toBe('ACKNOWLEDGED');
  });

  test('does not end the obligation of a derived action', () => {
    const session = given([directed('i_1', { targets: ['agent_b'] })]);
    session.when('ack_action', input, 'agent_b').thenEvents(actionAcknowledged('agent_b', 'act_1'));
  });

  test.each([
    ['an unknown action', []],
    ['an action of the other agent', [taskAssigned('act_1', 'agent_a')]],
    ['an action of the moderator', [taskAssigned('act_1', 'moderator')]],
  ])('refuses %s as an unknown record', (_what, past) => {
    given(past)
      .when('ack_action', input, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'action', id: 'act_1' } });
  });

  test('refuses a completed action', () => {
    given([task, actionCompleted('agent_b', 'act_1')])
      .when('ack_action', input, 'agent_b')
      .thenFails('ACTION_CLOSED', { status: 'COMPLETED' });
  });
});
