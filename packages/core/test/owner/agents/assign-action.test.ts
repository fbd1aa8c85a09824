import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { actionCompleted, directed, taskAssigned } from '../../past.ts';

const input = { target: 'agent_b' as const, text: 'Write the changelog.' };

describe('assign_action', () => {
  test('assigns a task to an agent', () => {
    given()
      .when('assignAction', input, 'owner')
      .thenEvents(taskAssigned('act_1', 'agent_b'))
      .thenReply({
        action: {
          action_id: 'act_1',
          type: 'OWNER_TASK',
          text: 'Write the changelog.',
          status: 'PENDING',
          due_to: 'agent_b',
          from: 'owner',
          opened_at: '2026-01-05T09:01:00.000Z',
        },
      });
  });

  test('names a target whose access is revoked', () => {
    const past = [{ kind: 'access.revoked', actor: 'owner', data: { role: 'agent_b' } }] as const;
    const { absent } = given(past).when('assignAction', input, 'owner').reply();
    expect(absent).toEqual([{ role: 'agent_b', cause: 'REVOKED' }]);
  });

  test('assigns a task to the moderator too, which completes it', () => {
    given()
      .when('assignAction', { ...input, target: 'moderator' }, 'owner')
      .thenEvents(taskAssigned('act_1', 'moderator'));
    given([taskAssigned('act_1', 'moderator')])
      .when('complete_action', { action_id: 'act_1' }, 'moderator')
      .thenEvents(actionCompleted('moderator', 'act_1'));
  });

  test('continues the ids of derived actions', () => {
    given([directed('i_1')])
      .when('assignAction', input, 'owner')
      .thenEvents(taskAssigned('act_3', 'agent_b'));
  });

  test('is refused beyond the limit of open tasks', () => {
    const limits = { openActions: 1 };
    const task = taskAssigned('act_1', 'agent_a');
    given([task], { limits }).when('assignAction', input, 'owner').thenFails('LIMIT_EXCEEDED', {
      limit: 1,
      hint: 'Wait until an agent has completed one of its actions, then assign the task again.',
    });
    given([task, actionCompleted('agent_a', 'act_1')], { limits })
      .when('assignAction', input, 'owner')
      .reply();
  });

  describeOwner('assignAction', { input, statuses: NOT_ENDED });
});
