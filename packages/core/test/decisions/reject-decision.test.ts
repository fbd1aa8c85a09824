import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { accepted, proposed, rejected } from '../past.ts';

const proposal = proposed('agent_a', 'd_1');
const input = { decision_id: 'd_1', reason: 'Too slow.' };

describe('reject_decision', () => {
  test('closes a decision of the other agent, with the reason', () => {
    const { decision } = given([proposal])
      .when('reject_decision', input, 'agent_b')
      .thenEvents(rejected('agent_b', 'd_1'))
      .reply();
    expect(decision).toMatchObject({ status: 'REJECTED', active: false });
  });

  test('works on a resolved decision', () => {
    given([proposal, accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')])
      .when('reject_decision', input, 'agent_b')
      .thenEvents(rejected('agent_b', 'd_1'));
  });

  test('refuses an unknown decision', () => {
    given()
      .when('reject_decision', input, 'agent_b')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'decision', id: 'd_1' } });
  });

  test('refuses a decision of the caller', () => {
    given([proposal]).when('reject_decision', input, 'agent_a').thenFails('OWN_PROPOSAL');
  });

  test('refuses to reject twice', () => {
    given([proposal, rejected('agent_b', 'd_1')])
      .when('reject_decision', input, 'agent_b')
      .thenFails('DECISION_CLOSED', { status: 'REJECTED', current_decision_id: null });
  });

  test('requires a reason', () => {
    given([proposal])
      .when('reject_decision', { ...input, reason: '' }, 'agent_b')
      .thenFails('INVALID_INPUT');
  });
});
