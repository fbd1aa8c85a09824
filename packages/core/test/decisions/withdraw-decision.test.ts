import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { accepted, proposed, rejected, withdrawn } from '../past.ts';

const proposal = proposed('agent_a', 'd_1');
const input = { decision_id: 'd_1', reason: 'Outdated.' };

describe('withdraw_decision', () => {
  test('closes a decision of the caller, with the reason', () => {
    const { decision } = given([proposal])
      .when('withdraw_decision', input, 'agent_a')
      .thenEvents(withdrawn('agent_a', 'd_1'))
      .reply();
    expect(decision).toMatchObject({ status: 'WITHDRAWN', active: false });
  });

  test('works on a resolved decision', () => {
    given([proposal, accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')])
      .when('withdraw_decision', input, 'agent_a')
      .thenEvents(withdrawn('agent_a', 'd_1'));
  });

  test('refuses an unknown decision', () => {
    given()
      .when('withdraw_decision', input, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'decision', id: 'd_1' } });
  });

  test('refuses a decision of the other agent', () => {
    given([proposal]).when('withdraw_decision', input, 'agent_b').thenFails('NOT_PROPOSER');
  });

  test('refuses to withdraw twice', () => {
    given([proposal, withdrawn('agent_a', 'd_1')])
      .when('withdraw_decision', input, 'agent_a')
      .thenFails('DECISION_CLOSED', { status: 'WITHDRAWN', current_decision_id: null });
  });

  test('refuses a rejected decision and names the current decision', () => {
    given([proposal, rejected('agent_b', 'd_1'), proposed('agent_b', 'd_2', { revision: 2 })])
      .when('withdraw_decision', input, 'agent_a')
      .thenFails('DECISION_CLOSED', { status: 'REJECTED', current_decision_id: 'd_2' });
  });

  test('requires a reason', () => {
    given([proposal])
      .when('withdraw_decision', { ...input, reason: ' ' }, 'agent_a')
      .thenFails('INVALID_INPUT');
  });
});
