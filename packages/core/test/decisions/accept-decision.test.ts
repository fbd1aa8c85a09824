import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { accepted, proposed, rejected, withdrawn } from '../past.ts';

const proposal = proposed('agent_a', 'd_1');
const input = { decision_id: 'd_1' };
const view = {
  decision_id: 'd_1',
  status: 'PROPOSED',
  active: true,
  accepted_by: [],
  supersedes: null,
} as const;

describe('accept_decision', () => {
  test('records the acceptance of the caller alone', () => {
    given([proposal])
      .when('accept_decision', input, 'agent_b')
      .thenEvents({ kind: 'decision.accepted', actor: 'agent_b', data: { decision_id: 'd_1' } })
      .thenReply({ decision: { ...view, accepted_by: ['agent_b'] } });
  });

  test('resolves the decision on the second acceptance', () => {
    given([proposal, accepted('agent_b', 'd_1')])
      .when('accept_decision', input, 'agent_a')
      .thenReply({ decision: { ...view, status: 'RESOLVED', accepted_by: ['agent_a', 'agent_b'] } });
  });

  test("requires the proposer's own acceptance too", () => {
    const { decision } = given([proposal]).when('accept_decision', input, 'agent_a').reply();
    expect(decision).toMatchObject({ status: 'PROPOSED', accepted_by: ['agent_a'] });
  });

  test('stores nothing if the caller has accepted already', () => {
    given([proposal, accepted('agent_b', 'd_1')])
      .when('accept_decision', input, 'agent_b')
      .thenEvents()
      .thenReply({ decision: { ...view, accepted_by: ['agent_b'] } });
  });

  test('stores nothing for a resolved decision', () => {
    given([proposal, accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')])
      .when('accept_decision', input, 'agent_b')
      .thenEvents();
  });

  test('accepts several decisions in one call, each once', () => {
    given([proposal, proposed('agent_a', 'd_2', { topic: 'Retries' })])
      .when('accept_decision', { ...input, others: ['d_2', 'd_1'] }, 'agent_b')
      .thenEvents(accepted('agent_b', 'd_1'), accepted('agent_b', 'd_2'))
      .thenReply({ decision: { ...view, accepted_by: ['agent_b'] } });
  });

  test('accepts none of several decisions if one is closed', () => {
    given([proposal, proposed('agent_a', 'd_2', { topic: 'Retries' }), withdrawn('agent_a', 'd_2')])
      .when('accept_decision', { ...input, others: ['d_2'] }, 'agent_b')
      .thenFails('DECISION_CLOSED', { status: 'WITHDRAWN', current_decision_id: null });
  });

  test('refuses an unknown decision', () => {
    given()
      .when('accept_decision', input, 'agent_a')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'decision', id: 'd_1' } });
  });

  test('refuses a superseded decision and names the current one', () => {
    const changed = proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' });
    given([proposal, changed])
      .when('accept_decision', input, 'agent_b')
      .thenFails('DECISION_CLOSED', { status: 'SUPERSEDED', current_decision_id: 'd_2' });
  });

  test.each([
    ['WITHDRAWN', withdrawn('agent_a', 'd_1')],
    ['REJECTED', rejected('agent_b', 'd_1')],
  ])('refuses a decision that is %s', (status, event) => {
    given([proposal, event])
      .when('accept_decision', input, 'agent_b')
      .thenFails('DECISION_CLOSED', { status, current_decision_id: null });
  });

  test('refuses an id of another form', () => {
    given().when('accept_decision', { decision_id: 'q_1' }, 'agent_a').thenFails('INVALID_INPUT');
  });
});
