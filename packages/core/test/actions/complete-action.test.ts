import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { actionAcknowledged, actionCompleted, taskAssigned } from '../past.ts';

const task = taskAssigned('act_1', 'agent_b');
const input = { action_id: 'act_1' };

describe('complete_action', () => {
  test.each([
    ['pending', [task]],
    ['acknowledged', [task, actionAcknowledged('agent_b', 'act_1')]],
  ])('completes an action that is %s', (_status, past) => {
    const { action } = given(past)
      .when('complete_action', input, 'agent_b')
      .thenEvents(actionCompleted('agent_b', 'act_1'))
      .reply();
    expect(action).toMatchObject({ action_id: 'act_1', status: 'COMPLETED' });
  });

  test('leaves a completed action as it is, and shows it', () => {
    const { action } = given([task, actionCompleted('agent_b', 'act_1')])
      .when('complete_action', input, 'agent_b')
      .thenEvents()
      .reply();
    expect(action).toMatchObject({ action_id: 'act_1', status: 'COMPLETED' });
  });

  test('keeps a note on an action that is completed already, once', () => {
    const note = 'Tagged v1.';
    const noted: PastEvent = {
      kind: 'action.completed',
      actor: 'agent_b',
      data: { action_id: 'act_1', due_to: 'agent_b', type: 'OWNER_TASK', note },
    };
    const past = [task, actionCompleted('agent_b', 'act_1')];
    const { action } = given(past)
      .when('complete_action', { ...input, note }, 'agent_b')
      .thenEvents(noted)
      .reply();
    expect(action).toMatchObject({ action_id: 'act_1', status: 'COMPLETED' });
    for (const completed of [
      [...past, noted],
      [task, noted],
    ]) {
      given(completed)
        .when('complete_action', { ...input, note }, 'agent_b')
        .thenEvents();
      given(completed).when('complete_action', input, 'agent_b').thenEvents();
    }
  });

  test.each([
    ['an unknown action', []],
    ['an action of the other agent', [taskAssigned('act_1', 'agent_a')]],
  ])('refuses %s as an unknown record', (_what, past) => {
    given(past)
      .when('complete_action', input, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'action', id: 'act_1' } });
  });
});
