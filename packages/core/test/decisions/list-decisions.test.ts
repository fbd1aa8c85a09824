import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { accepted, proposed, rejected, withdrawn } from '../past.ts';

const T0 = '2026-01-05T09:00:00.000Z';

describe('list_decisions', () => {
  test('shows each with status, acceptors and whether it is active, oldest first', () => {
    const evidence = [{ kind: 'file', reference: 'src/store.ts:10' }];
    given([
      proposed('agent_a', 'd_1'),
      proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1', evidence }),
      accepted('agent_a', 'd_2'),
    ])
      .when('list_decisions', {}, 'agent_b')
      .thenReply({
        decisions: [
          {
            decision_id: 'd_1',
            topic: 'Store',
            status: 'SUPERSEDED',
            active: false,
            proposed_by: 'agent_a',
            accepted_by: [],
            reason: null,
          },
          {
            decision_id: 'd_2',
            topic: 'Store',
            position: 'SQLite',
            evidence,
            status: 'PROPOSED',
            active: true,
            proposed_by: 'agent_b',
            accepted_by: ['agent_a'],
            revision: 2,
            supersedes: 'd_1',
            changes: '[-PostgreSQL 15-]{+SQLite+}',
            reason: null,
            proposed_at: T0,
          },
        ],
      });
  });

  test.each([
    ['one', ['agent_b'], [accepted('agent_b', 'd_1')]],
    ['both', ['agent_a', 'agent_b'], [accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')]],
  ])('still names who had accepted a superseded decision: %s', (_who, names, acceptances) => {
    const past = [
      proposed('agent_a', 'd_1'),
      ...acceptances,
      proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' }),
    ];
    for (const role of ['agent_a', 'agent_b', 'moderator'] as const) {
      const { decisions } = given(past).when('list_decisions', {}, role).reply();
      expect(decisions.map(({ status, active, accepted_by }) => ({ status, active, accepted_by }))).toEqual([
        { status: 'SUPERSEDED', active: false, accepted_by: names },
        { status: 'PROPOSED', active: true, accepted_by: [] },
      ]);
    }
  });

  test('does not count an acceptance of a superseded decision for the next decision', () => {
    const past = [
      proposed('agent_a', 'd_1'),
      accepted('agent_a', 'd_1'),
      proposed('agent_b', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' }),
      accepted('agent_b', 'd_2'),
    ];
    const { decisions } = given(past).when('list_decisions', {}, 'agent_a').reply();
    expect(decisions[1]).toMatchObject({ status: 'PROPOSED', accepted_by: ['agent_b'] });
    given(past).when('accept_decision', { decision_id: 'd_1' }, 'agent_b').thenFails('DECISION_CLOSED', {
      status: 'SUPERSEDED',
      current_decision_id: 'd_2',
    });
  });

  test.each([
    ['RESOLVED', true, null, [accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')]],
    ['WITHDRAWN', false, 'Outdated.', [withdrawn('agent_a', 'd_1')]],
    ['REJECTED', false, 'Too slow.', [rejected('agent_b', 'd_1')]],
  ])('shows %s with active %s and reason %s', (status, active, reason, events) => {
    const { decisions } = given([proposed('agent_a', 'd_1'), ...events])
      .when('list_decisions', {}, 'moderator')
      .reply();
    expect(decisions).toEqual([expect.objectContaining({ status, active, reason })]);
  });

  test('marks the words in which a position differs from the position that it supersedes, also for the owner', () => {
    const past = [
      proposed('agent_a', 'd_1', { position: 'Retries stop after 3 tries; the last error is kept.' }),
      proposed('agent_b', 'd_2', {
        position: 'Retries stop after 5 tries; the last error is kept.',
        revision: 2,
        supersedes: 'd_1',
      }),
    ];
    const changes = 'Retries stop after [-3 -]{+5 +}tries; the last error is kept.';
    const { decisions } = given(past).when('list_decisions', {}, 'agent_a').reply();
    expect(decisions.map((decision) => decision.changes)).toEqual([undefined, changes]);
    expect(given(past).when('view', {}, 'owner').reply().decisions[1]).toMatchObject({ decision_id: 'd_2', changes });
    const whole = given(past).when('list_decisions', { decision_id: 'd_2' }, 'moderator').reply();
    expect(whole.decisions).toMatchObject([{ decision_id: 'd_2', changes }]);
  });

  test('marks no words if the earlier decision had been withdrawn', () => {
    const past = [proposed('agent_a', 'd_1'), withdrawn('agent_a', 'd_1'), proposed('agent_b', 'd_2', { revision: 2 })];
    const { decisions } = given(past).when('list_decisions', {}, 'agent_a').reply();
    expect(decisions[1]).not.toHaveProperty('changes');
  });
});
