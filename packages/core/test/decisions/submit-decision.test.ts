import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { accepted, proposed, rejected, substantiated, withdrawn } from '../past.ts';

const input = { topic: 'Store', position: 'PostgreSQL 15' };

describe('submit_decision', () => {
  test('opens a decision that nobody has accepted yet, not even the proposer', () => {
    given()
      .when('submit_decision', input, 'agent_a')
      .thenEvents(proposed('agent_a', 'd_1'))
      .thenReply({
        decision: {
          decision_id: 'd_1',
          status: 'PROPOSED',
          active: true,
          accepted_by: [],
          supersedes: null,
        },
      });
  });

  describe('with accept', () => {
    test('records the acceptance of the proposer in the same append, as accept_decision does', () => {
      const { decision } = given()
        .when('submit_decision', { ...input, accept: true }, 'agent_a')
        .thenEvents(proposed('agent_a', 'd_1'), accepted('agent_a', 'd_1'))
        .reply();
      expect(decision).toMatchObject({ decision_id: 'd_1', status: 'PROPOSED', accepted_by: ['agent_a'] });
    });

    test('accepts the same position of the other agent, which resolves it', () => {
      const { decision } = given([proposed('agent_a', 'd_1'), accepted('agent_a', 'd_1')])
        .when('submit_decision', { ...input, accept: true }, 'agent_b')
        .thenEvents(accepted('agent_b', 'd_1'))
        .reply();
      expect(decision).toMatchObject({ decision_id: 'd_1', status: 'RESOLVED' });
    });

    test('adds nothing when the caller has accepted the position already', () => {
      given([proposed('agent_a', 'd_1'), accepted('agent_a', 'd_1')])
        .when('submit_decision', { ...input, accept: true }, 'agent_a')
        .thenEvents();
    });

    test('false accepts nothing', () => {
      given()
        .when('submit_decision', { ...input, accept: false }, 'agent_a')
        .thenEvents(proposed('agent_a', 'd_1'));
    });
  });

  test('stores the evidence', () => {
    const evidence = [{ kind: 'test' as const, reference: 'store.test.ts', excerpt: 'ok' }];
    given()
      .when('submit_decision', { ...input, evidence }, 'agent_a')
      .thenEvents(proposed('agent_a', 'd_1', { evidence }));
  });

  test.each(['agent_a', 'agent_b'] as const)('returns the existing decision for the same position of %s', (role) => {
    const { decision } = given([proposed('agent_a', 'd_1'), accepted('agent_b', 'd_1')])
      .when('submit_decision', input, role)
      .thenEvents()
      .reply();
    expect(decision).toMatchObject({ decision_id: 'd_1', accepted_by: ['agent_b'] });
  });

  describe('with the same position and evidence', () => {
    const spike = { kind: 'log', reference: 'spike.log', excerpt: '40 ms' } as const;
    const bench = { kind: 'test', reference: 'store.bench.ts' } as const;
    const past = [proposed('agent_a', 'd_1', { evidence: [spike] }), accepted('agent_a', 'd_1')];
    const submit = (evidence: readonly object[], by: 'agent_a' | 'agent_b' = 'agent_b') =>
      given(past).when('submit_decision', { ...input, evidence } as never, by);

    test.each(['agent_a', 'agent_b'] as const)('of %s appends what is new and keeps the acceptances', (role) => {
      const outcome = submit([bench], role).thenEvents(substantiated(role, 'd_1', [bench]));
      expect(outcome.reply().decision).toMatchObject({ decision_id: 'd_1', accepted_by: ['agent_a'] });
      const { decisions } = given([...past, ...outcome.events()])
        .when('list_decisions', { decision_id: 'd_1' }, 'agent_a')
        .reply();
      expect(decisions[0]?.evidence).toEqual([spike, bench]);
    });

    test('adds nothing that is there already, in whatever order its members are', () => {
      const turned = { excerpt: '40 ms', reference: 'spike.log', kind: 'log' };
      submit([spike, turned]).thenEvents();
      submit([turned, bench, bench]).thenEvents(substantiated('agent_b', 'd_1', [bench]));
    });

    test('stores another excerpt of the same reference as another item', () => {
      const other = { ...spike, excerpt: '60 ms' };
      submit([other]).thenEvents(substantiated('agent_b', 'd_1', [other]));
    });

    test('adds to a resolved decision, which stays resolved', () => {
      const { decision } = given([...past, accepted('agent_b', 'd_1')])
        .when('submit_decision', { ...input, evidence: [bench] }, 'agent_b')
        .thenEvents(substantiated('agent_b', 'd_1', [bench]))
        .reply();
      expect(decision.status).toBe('RESOLVED');
    });

    test('opens a new decision if the earlier one was withdrawn', () => {
      given([...past, withdrawn('agent_a', 'd_1')])
        .when('submit_decision', { ...input, evidence: [bench] }, 'agent_b')
        .thenEvents(proposed('agent_b', 'd_2', { revision: 2, evidence: [bench] }));
    });

    test('is a message that names the decision and contains only the new evidence', () => {
      const { messages } = given([...past, substantiated('agent_b', 'd_1', [bench])])
        .when('read_messages', { after: 7 }, 'agent_a')
        .reply();
      expect(messages).toMatchObject([
        { from: 'agent_b', kind: 'decision.substantiated', body: { decision_id: 'd_1', evidence: [bench] } },
      ]);
    });

    test('is refused beyond the maximum number of items of a decision', () => {
      const options = { limits: { evidencePerDecision: 2 } };
      const more = { ...bench, reference: 'other.ts' };
      given(past, options)
        .when('submit_decision', { ...input, evidence: [bench, more] }, 'agent_b')
        .thenFails('LIMIT_EXCEEDED', {
          limit: 2,
          hint: 'Send the call without evidence. post_evidence adds evidence to your latest turn.',
        });
      given(past, options)
        .when('submit_decision', { ...input, evidence: [spike, bench] }, 'agent_b')
        .reply();
    });
  });

  test('compares topics as they read', () => {
    given([proposed('agent_a', 'd_1', { topic: 'Caf\u00e9 store' })])
      .when('submit_decision', { ...input, topic: 'cafe\u0301\u3164 ｓｔｏｒｅ' }, 'agent_b')
      .thenEvents();
    given([proposed('agent_a', 'd_1')])
      .when('submit_decision', { ...input, topic: '  sTORE ' }, 'agent_b')
      .thenEvents();
    given([proposed('agent_a', 'd_1', { topic: 'data  store' })])
      .when('submit_decision', { ...input, topic: 'Data Store' }, 'agent_b')
      .thenEvents();
  });

  test('opens a new decision for a changed position, of either agent, and supersedes the earlier one', () => {
    const { decision } = given([proposed('agent_a', 'd_1'), accepted('agent_a', 'd_1')])
      .when('submit_decision', { topic: 'store', position: 'SQLite' }, 'agent_b')
      .thenEvents(proposed('agent_b', 'd_2', { topic: 'store', position: 'SQLite', revision: 2, supersedes: 'd_1' }))
      .reply();
    expect(decision).toMatchObject({ decision_id: 'd_2', accepted_by: [], status: 'PROPOSED' });
  });

  test('supersedes a resolved decision too', () => {
    const { decision } = given([proposed('agent_a', 'd_1'), accepted('agent_a', 'd_1'), accepted('agent_b', 'd_1')])
      .when('submit_decision', { topic: 'Store', position: 'SQLite' }, 'agent_a')
      .reply();
    expect(decision).toMatchObject({ decision_id: 'd_2', supersedes: 'd_1' });
  });

  test.each([withdrawn('agent_a', 'd_1'), rejected('agent_b', 'd_1')])(
    'continues the revision numbers after a closed decision, which it does not supersede ($kind)',
    (event) => {
      given([proposed('agent_a', 'd_1'), event])
        .when('submit_decision', input, 'agent_b')
        .thenEvents(proposed('agent_b', 'd_2', { revision: 2 }));
    },
  );

  test('refuses a decision beyond the limit of open decisions of a builder', () => {
    given([proposed('agent_a', 'd_1')], { limits: { openDecisions: 1 } })
      .when('submit_decision', { topic: 'Queue', position: 'None' }, 'agent_a')
      .thenFails('LIMIT_EXCEEDED', {
        limit: 1,
        hint: 'Withdraw one of your open decisions with withdraw_decision, or wait until the other agent accepts or rejects one.',
      });
    given([proposed('agent_a', 'd_1')], { limits: { openDecisions: 1 } })
      .when('submit_decision', { topic: 'Queue', position: 'None' }, 'agent_b')
      .reply();
  });

  test('counts only open decisions', () => {
    const past = [proposed('agent_a', 'd_1'), withdrawn('agent_a', 'd_1')];
    given(past, { limits: { openDecisions: 1 } })
      .when('submit_decision', input, 'agent_a')
      .reply();
  });

  test('changes the position on an open topic even if the limit of open decisions is reached', () => {
    given([proposed('agent_a', 'd_1')], { limits: { openDecisions: 1 } })
      .when('submit_decision', { topic: 'Store', position: 'SQLite' }, 'agent_a')
      .thenEvents(proposed('agent_a', 'd_2', { position: 'SQLite', revision: 2, supersedes: 'd_1' }));
  });

  test.each([
    ['a blank topic', { topic: ' ', position: 'x' }, 'topic'],
    ['a topic of 201 characters', { topic: 'x'.repeat(201), position: 'x' }, 'topic'],
    ['an empty position', { topic: 'x', position: '' }, 'position'],
    ['a position of 4,001 characters', { topic: 'x', position: 'x'.repeat(4_001) }, 'position'],
  ])('refuses %s', (_what, faulty, path) => {
    const refusal = given().when('submit_decision', faulty, 'agent_a').refusal();
    expect(refusal).toMatchObject({
      error: 'INVALID_INPUT',
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });
});
