import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { actionAcknowledged, actionCompleted, directed, taskAssigned } from '../past.ts';

describe('poll_actions', () => {
  test("lists the caller's pending and acknowledged actions, oldest first", () => {
    const past = [
      taskAssigned('act_1', 'agent_b'),
      taskAssigned('act_2', 'agent_a'),
      taskAssigned('act_3', 'agent_b'),
      taskAssigned('act_4', 'agent_b'),
      actionAcknowledged('agent_b', 'act_1'),
      actionCompleted('agent_b', 'act_3'),
    ];
    const { actions } = given(past).when('poll_actions', {}, 'agent_b').reply();
    expect(actions.map(({ action_id, status }) => [action_id, status])).toEqual([
      ['act_1', 'ACKNOWLEDGED'],
      ['act_4', 'PENDING'],
    ]);
  });

  test('names tool and payload if a tool completes the action', () => {
    given([directed('i_1', { targets: ['agent_a'] })])
      .when('poll_actions', {}, 'agent_a')
      .thenReply({
        actions: [
          {
            action_id: 'act_1',
            type: 'ACK_DIRECTIVE',
            text: 'Acknowledge directive i_1 of the owner.',
            tool: 'ack_intervention',
            route: 'POST interventions/ack',
            payload: { intervention_id: 'i_1' },
            status: 'PENDING',
            due_to: 'agent_a',
            from: 'system',
            opened_at: '2026-01-05T09:00:00.000Z',
          },
        ],
      });
  });
});
