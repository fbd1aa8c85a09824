import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { acknowledged, actionCompleted, directed, ended, interventionWithdrawn, taskAssigned } from '../past.ts';

const directive = directed('i_1', { targets: ['agent_a'] });

const actions = (past: readonly PastEvent[]) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .actions.map(({ action_id, type, due_to, status }) => `${action_id} ${type} ${due_to} ${status}`);

describe('an obligation', () => {
  test('opens one action for each agent that must act', () => {
    given()
      .when('direct', { targets: ['agent_b', 'agent_a'], text: 'Keep the API.' }, 'owner')
      .thenEvents(
        directed('i_1', { targets: ['agent_b', 'agent_a'] }),
        ...(['agent_b', 'agent_a'] as const).map((due_to, index) => ({
          kind: 'action.opened' as const,
          actor: 'system' as const,
          data: {
            action_id: `act_${index + 1}`,
            due_to,
            type: 'ACK_DIRECTIVE' as const,
            text: 'Acknowledge directive i_1 of the owner.',
            tool: 'ack_intervention',
            payload: { intervention_id: 'i_1' },
            obligation: `ACK_DIRECTIVE ${due_to} i_1`,
          },
        })),
      );
  });

  test("numbers its actions after the owner's actions", () => {
    expect(actions([taskAssigned('act_1', 'agent_b'), directive])).toEqual([
      'act_1 OWNER_TASK agent_b PENDING',
      'act_2 ACK_DIRECTIVE agent_a PENDING',
    ]);
  });

  test('completes its action automatically when it is fulfilled', () => {
    expect(actions([directive, acknowledged('agent_a', 'i_1')])).toEqual(['act_1 ACK_DIRECTIVE agent_a COMPLETED']);
  });

  test('completes its action automatically when it is void', () => {
    expect(actions([directive, interventionWithdrawn('i_1')])).toEqual(['act_1 ACK_DIRECTIVE agent_a COMPLETED']);
    expect(actions([directive, ended])).toEqual(['act_1 ACK_DIRECTIVE agent_a COMPLETED']);
  });

  test('remains if its action is completed by a call, and opens no other action', () => {
    const past = [directive, actionCompleted('agent_a', 'act_1')];
    expect(actions(past)).toEqual(['act_1 ACK_DIRECTIVE agent_a COMPLETED']);
    const { blockers, instruction, pending_actions } = given(past).when('read_session_state', {}, 'agent_a').reply();
    expect(pending_actions).toEqual([]);
    expect(instruction.tool).toBe('ack_intervention');
    expect(blockers.first?.map(({ code }) => code)).toContain('DIRECTIVE_UNACKNOWLEDGED');
  });

  test('does not open again after later writes', () => {
    const past = [directive, actionCompleted('agent_a', 'act_1'), taskAssigned('act_2', 'agent_a')];
    expect(actions(past)).toEqual(['act_1 ACK_DIRECTIVE agent_a COMPLETED', 'act_2 OWNER_TASK agent_a PENDING']);
  });

  test('can still be fulfilled later', () => {
    given([directive, actionCompleted('agent_a', 'act_1')])
      .when('ack_intervention', { intervention_id: 'i_1' }, 'agent_a')
      .thenEvents(acknowledged('agent_a', 'i_1'), {
        kind: 'action.fulfilled',
        actor: 'system',
        data: { action_id: 'act_1', due_to: 'agent_a' },
      });
  });

  test('does not change a task of the owner at the end', () => {
    expect(actions([taskAssigned('act_1', 'agent_a'), ended])).toEqual(['act_1 OWNER_TASK agent_a PENDING']);
  });
});
