import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../src/testing/index.ts';
import { attempt, declared, evidence, failed, handshake, play } from '../story.ts';
import { board, declaredOf, NEW_COMMIT, testsWith } from './builds.ts';

const open = play(declared, [attempt('agent_a', 'test-reserve')]);
const INPUT = {
  scenario_id: 'test-reserve',
  attempt: 1,
  kind: 'http_exchange' as const,
  claim: 'Two units are reserved.',
  summary: '201 with a reservation_id.',
  request_id: 'req-1',
};
const give = (changes: object = {}, past: readonly PastEvent[] = open, options?: GivenOptions) =>
  given(past, options).when('verify_submit_evidence', { ...INPUT, ...changes } as never, 'agent_b');
const MISSING_A = { met: false, request_id: 'req-1', missing: ['agent_a: 1 more item'], failing: [] };

describe('verify_submit_evidence', () => {
  test.each([
    ['its summary', 'summary', 'postgres://app:Vq7-tR2x9Lm@db.internal/orders'],
    ['its claim', 'claim', `Authorization: Bearer ${'gh'}p_${'R4nd0mT0k3nOfThisTest'.padEnd(36, 'Zk8')}`],
    ['the value of an assertion', 'assertions[0].actual.headers.authorization', null],
  ])('refuses a credential in %s whatever the policy, and names the field alone', (_what, field, text) => {
    const password = 'Basic dXNlcjpWcTctdFIyeDlMbSEh';
    const actual = { headers: { authorization: password } };
    const assertions = [{ name: 'signed in', expected: 200, actual, passed: true }];
    const changes = text === null ? { assertions } : { [field]: text };
    for (const secret_policy of ['refuse', 'warn'] as const) {
      const refusal = give(changes, open, { session: { secret_policy } }).refusal();
      expect(refusal).toMatchObject({ error: 'CREDENTIAL_REJECTED', issues: [{ path: field }] });
      expect(JSON.stringify(refusal)).not.toContain(text ?? password);
    }
  });

  test('stores one item with the declared commit of the caller', () => {
    give()
      .thenEvents({
        kind: 'evidence.submitted',
        actor: 'agent_b',
        data: { ...INPUT, assertions: [], commit: 'b'.repeat(40) },
      })
      .thenReply({
        scenario_id: 'test-reserve',
        attempt: 1,
        status: 'OPEN',
        commit: 'b'.repeat(40),
        evaluation: MISSING_A,
      });
  });

  describe('without a request_id', () => {
    const apart = play(declaredOf({ tests: testsWith({ evidence_policy: { correlated: false } }) }), [
      attempt('agent_a', 'test-reserve'),
    ]);

    test('is taken for a test whose two sides need not be correlated, each item apart from the others', () => {
      const failing = [{ name: 'stock', expected: 1, actual: 2, passed: false }];
      const two = play(apart, [
        evidence('agent_b', 'test-reserve', 1, { request_id: undefined, assertions: failing }),
        evidence('agent_b', 'test-reserve', 1, { request_id: '' }),
        evidence('agent_a', 'test-reserve', 1, { request_id: undefined }),
      ]);
      expect(board(two).scenarios[0]?.attempts[0]).toMatchObject({
        evaluation: { met: true },
        evidence: [{ request_id: '' }, { request_id: '' }, { request_id: '' }],
      });
    });

    test('is stored each time, and once under a key', () => {
      const unnamed = evidence('agent_b', 'test-reserve', 1, { request_id: undefined });
      const keyed = evidence('agent_b', 'test-reserve', 1, {
        request_id: '',
        evidence_key: 'k1',
        claim: 'It is gone.',
      });
      const twice = play(apart, [unnamed, unnamed, keyed, keyed]);
      expect(board(twice).scenarios[0]?.attempts[0]).toMatchObject({ evidence_count: 3 });
    });

    test('is not asked for by verify_next', () => {
      const { items } = given(apart).when('verify_next', {}, 'agent_a').reply();
      expect(items[0]?.tool).toBe('verify_submit_evidence');
      expect(items[0]?.payload).not.toHaveProperty('request_id');
    });

    test('is refused for any other test, and the refusal names the member', () => {
      for (const request_id of [undefined, null, '', ' '])
        expect(give({ request_id }).refusal()).toMatchObject({
          error: 'INVALID_INPUT',
          issues: [{ path: 'request_id' }],
        });
      const item = { kind: 'log' as const, claim: 'It holds.', summary: 'Seen.', request_id: '' };
      expect(
        given(declared)
          .when('verify_start_attempt', { scenario_id: 'test-reserve', evidence: [item] }, 'agent_a')
          .refusal(),
      ).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: 'evidence[0].request_id' }] });
    });
  });

  test('reports when the evidence is sufficient', () => {
    const half = play(open, [evidence('agent_a', 'test-reserve')]);
    expect(give({}, half).reply()).toMatchObject({
      status: 'AWAITING_VERDICT',
      evaluation: { met: true, request_id: 'req-1', missing: [], failing: [] },
    });
    expect(give({ request_id: 'req-2' }, half).reply()).toMatchObject({
      status: 'OPEN',
      evaluation: { met: false, request_id: 'req-2', missing: ['agent_a: 1 more item'] },
    });
  });

  test('keeps assertions with whatever values they have', () => {
    const assertions = [
      { name: 'count', expected: 2, actual: 1, passed: false },
      { name: 'body', expected: { ends_at: null }, actual: ['x', { y: [1.5, true] }], passed: true },
    ];
    const past = play(open, [evidence('agent_b', 'test-reserve', 1, { assertions })]);
    const [scenario] = given(past).when('verify_board', { scenario_id: 'test-reserve' }, 'agent_a').reply().scenarios;
    expect(scenario?.attempts[0]?.evidence[0]?.assertions).toEqual(assertions);
    expect(give({ assertions }).reply().evaluation.failing).toEqual(['agent_b: an assertion failed in message #59']);
  });

  test.each([
    ['an unknown scenario', { scenario_id: 'test-9' }, { type: 'scenario', id: 'test-9' }],
    ['an unknown attempt', { attempt: 2 }, { type: 'attempt', id: 'test-reserve/2' }],
    ['a scenario without attempts', { scenario_id: 'test-expiry' }, { type: 'attempt', id: 'test-expiry/1' }],
  ])('refuses %s', (_what, changes, record) => {
    give(changes).thenFails('UNKNOWN_RECORD', { record });
  });

  test.each<[string, readonly PastEvent[]]>([
    ['FAILED', failed],
    ['ABORTED', play(open, [handshake('agent_a', { commit: NEW_COMMIT })])],
  ])('refuses an attempt that is %s', (status, past) => {
    give({}, past).thenFails('ATTEMPT_CLOSED', { status });
  });

  test('is refused beyond the limit of each agent, so that neither can prevent the evidence of the other', () => {
    const options = { limits: { evidencePerAttempt: 2 } };
    const other = { summary: 'Two units were left.' };
    const others = play(open, [evidence('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve', 1, other)]);
    const one = play(others, [evidence('agent_b', 'test-reserve')]);
    give({}, one, options).reply();
    const two = play(one, [evidence('agent_b', 'test-reserve', 1, other)]);
    give({}, two, options).thenFails('LIMIT_EXCEEDED', {
      limit: 2,
      hint: 'Give no further evidence for this attempt. The next attempt takes evidence again.',
    });
  });

  test.each([
    { kind: 'rumour' },
    { claim: '' },
    { summary: 'x'.repeat(4_001) },
    { request_id: ' ' },
    { attempt: 0 },
    { attempt: 1.5 },
    { assertions: [{ name: 'count', passed: 'maybe' }] },
    { commit: 'a'.repeat(40) },
  ])('refuses %j', (changes) => {
    give(changes).thenFails('INVALID_INPUT');
  });
});
