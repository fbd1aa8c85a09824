import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { attempt, type Call, evidence, play, verdict } from '../story.ts';
import { A_COMMIT, B_COMMIT, board, declaredOf, NEW_COMMIT, next, testsWith } from './builds.ts';

const DEMANDS = {
  level: 'recorded' as const,
  per_agent_tests: { agent_a: ['captures > books once'], agent_b: ['keeps the key'] },
};

interface Reported {
  readonly name: string;
  readonly suite?: string;
  readonly status: string;
}

const report = (tests: readonly Reported[], counts: object = {}) => {
  const count = (status: string): number => tests.filter((one) => one.status === status).length;
  return {
    ...{ format: 'junit', sha256: 'd'.repeat(64), size: 900 },
    ...{ passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    tests,
    ...counts,
  };
};

const BOOKS = { name: 'books once', suite: 'captures', status: 'passed' };
const run = (changes: object = {}) => ({
  argv: ['npm', 'test'],
  exit_code: 0,
  duration_ms: 1_200,
  commit: A_COMMIT,
  dirty: false,
  report: report([BOOKS]),
  output: 'Tests: 1 passed',
  ...changes,
});
const RUN_B = run({ commit: B_COMMIT, report: report([{ name: 'keeps the key', status: 'passed' }]) });

const opened = (policy: object): PastEvent[] =>
  play(declaredOf({ tests: testsWith({ evidence_policy: policy }) }), [attempt('agent_a', 'test-reserve')]);
const open = opened(DEMANDS);
/** The other side has given all that the contract demands of it. */
const half = play(open, [evidence('agent_b', 'test-reserve', 1, { run: RUN_B })]);
const PASS = { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' } as const;

const itemsOf = (past: readonly PastEvent[]) =>
  given(past).when('verify_board', { scenario_id: 'test-reserve' }, 'moderator').reply().scenarios[0]?.attempts[0]
    ?.evidence;
const passOn = (past: readonly PastEvent[]) => given(past).when('verify_verify', PASS, 'agent_b');

describe('a run of each side with the tests that the contract names', () => {
  const both = play(half, [evidence('agent_a', 'test-reserve', 1, { run: run() })]);

  test('is enough for a PASS, whose level is recorded', () => {
    const passed = play(both, [verdict('agent_b', 'test-reserve')]);
    expect(itemsOf(both)?.[1]).toMatchObject({
      level: 'recorded',
      run: { named: [{ name: 'captures > books once', status: 'passed' }] },
    });
    const sides = { levels: { agent_a: 'recorded', agent_b: 'recorded' } };
    expect(board(passed).scenarios[0]).toMatchObject({ status: 'PASSED', level: 'recorded', ...sides });
    const { scenarios } = given(passed).when('verify_board', { scenario_id: 'test-reserve' }, 'moderator').reply();
    expect(scenarios[0]).toMatchObject({ level: 'recorded', demands: DEMANDS, attempts: [{ level: 'recorded' }] });
    expect(scenarios[0]?.attempts[0]?.evidence[1]?.run).toMatchObject({ ...run(), on: 'agent_a' });
  });

  test('keeps its level beside a typed comment, and passes with two runs that show the tests together', () => {
    const commented = play(both, [evidence('agent_a', 'test-reserve', 1, { claim: 'It looks good.' })]);
    expect(board(play(commented, [verdict('agent_b', 'test-reserve')])).scenarios[0]?.level).toBe('recorded');
    const two = { ...DEMANDS, per_agent_tests: { agent_a: ['books once', 'later'] } };
    const apart = play(opened(two), [
      evidence('agent_b', 'test-reserve', 1, { run: RUN_B }),
      evidence('agent_a', 'test-reserve', 1, { run: run() }),
    ]);
    expect(passOn(apart).refusal()).toMatchObject({
      missing: ['agent_a: the test "later", which is in no report of a recorded run'],
    });
    const later = run({ report: report([{ name: 'later', status: 'passed' }]) });
    passOn(play(apart, [evidence('agent_a', 'test-reserve', 1, { run: later })])).reply();
  });

  test('lets the side that does not execute the scenario run on the commit of the executor, and not the other way round', () => {
    const crossed = play(opened({ level: 'recorded' }), [
      evidence('agent_b', 'test-reserve', 1, { run: run() }),
      evidence('agent_a', 'test-reserve', 1, { run: run({ commit: B_COMMIT }) }),
    ]);
    expect(itemsOf(crossed)).toMatchObject([
      { by: 'agent_b', level: 'recorded' },
      { by: 'agent_a', level: 'claimed', run: { not_recorded: ['OTHER_COMMIT'] } },
    ]);
  });
});

const LEVEL = '1 more item of level recorded';
const SKIPPED_BOOKS = { ...BOOKS, status: 'skipped' };
const X = { name: 'x', status: 'passed' };
const FAILED_X = { name: 'x', status: 'failed' };

/** Runs that say more than was run, and what each leaves missing. Each is stored as what it is; none leads to a PASS. */
const PLANTED_RUNS: readonly (readonly [what: string, changes: object, missing: readonly string[]])[] = [
  ['on another commit', { commit: NEW_COMMIT }, [LEVEL, 'TEST']],
  ['on the commit of the other side', { commit: B_COMMIT }, [LEVEL, 'TEST']],
  ['on a dirty tree', { dirty: true }, [LEVEL, 'TEST']],
  ['green, without a report', { report: undefined }, ['TEST']],
  ['green, without the named test', { report: report([{ name: 'another', status: 'passed' }]) }, ['TEST']],
  ['green, with the named test in another suite', { report: report([{ ...BOOKS, suite: 'refunds' }]) }, ['TEST']],
  ['green, whose named test was skipped', { report: report([SKIPPED_BOOKS, X]) }, ['SKIPPED']],
  [
    'green, in which one of two tests with the name was skipped',
    { report: report([BOOKS, SKIPPED_BOOKS]) },
    ['SKIPPED'],
  ],
  ['green, in which every test was skipped', { report: report([SKIPPED_BOOKS]) }, [LEVEL, 'TEST']],
  [
    'with a test whose name begins like the named one',
    { report: report([{ ...BOOKS, name: 'books once, or twice' }]) },
    ['TEST'],
  ],
  ['with exit code 0 although the named test failed', { report: report([{ ...BOOKS, status: 'failed' }, X]) }, []],
  ['with exit code 0 although another test failed', { report: report([BOOKS, FAILED_X]) }, []],
  ['with exit code 0 although a suite did not start', { report: report([BOOKS], { failed: 1 }) }, []],
  ['that failed, whose report is green', { exit_code: 1 }, []],
  ['that a signal ended', { exit_code: null, signal: 'SIGKILL' }, []],
];

/** Other items that are no run of the named tests. */
const PLANTED: readonly (readonly [what: string, item: object, missing: readonly string[]])[] = [
  ...PLANTED_RUNS.map(([what, changes, missing]) => [`a run ${what}`, { run: run(changes) }, missing] as const),
  ['typed by hand', { claim: 'npm test: all green.' }, [LEVEL, 'TEST']],
  [
    'typed by hand with assertions that look like a run',
    { kind: 'test_report', assertions: [{ name: 'exit code', expected: 0, actual: 0, passed: true }] },
    [LEVEL, 'TEST'],
  ],
  [
    'a run with a failed assertion',
    { run: run(), assertions: [{ name: 'entries', expected: 1, actual: 2, passed: false }] },
    [],
  ],
  [
    'a good run in another run of the system',
    { run: run(), request_id: 'req-9' },
    [`agent_b: ${LEVEL}`, 'agent_b: the test "keeps the key", which is in no report of a recorded run'],
  ],
];

/** Runs whose parts contradict each other, or that say what only the service may say. */
const REFUSED: readonly (readonly [what: string, changes: object])[] = [
  ['on the beginning of the declared commit', { commit: 'a'.repeat(7) }],
  ['whose counts say more passed than are listed', { report: report([BOOKS], { passed: 40 }) }],
  ['whose counts leave out a listed failure', { report: report([BOOKS, FAILED_X], { failed: 0 }) }],
  ['whose counts leave out a listed skip', { report: report([SKIPPED_BOOKS], { skipped: 0, passed: 1 }) }],
  ['with a report without a hash', { report: { ...report([BOOKS]), sha256: '' } }],
  ['without a command', { argv: [] }],
  ['that names its own level', { level: 'ci' }],
  ['that says itself on whose commit it was', { commit: NEW_COMMIT, on: 'agent_a' }],
  [
    'that says itself what the named tests did',
    { report: undefined, named: [{ name: 'captures > books once', status: 'passed' }] },
  ],
];

const MISSING_TEXTS: Readonly<Record<string, string>> = {
  TEST: 'the test "captures > books once", which is in no report of a recorded run',
  SKIPPED: 'the test "captures > books once", which was skipped',
};

describe('a planted false report certifies nothing:', () => {
  test.each(PLANTED)('%s', (_what, item, missing) => {
    const past = play(half, [evidence('agent_a', 'test-reserve', 1, item as Readonly<Record<string, unknown>>)]);
    const refused = passOn(past).refusal();
    expect(refused.error).toBe('EVIDENCE_POLICY_UNMET');
    expect(refused.missing).toEqual(
      missing.map((text) => (text.startsWith('agent_b') ? text : `agent_a: ${MISSING_TEXTS[text] ?? text}`)),
    );
    const { certification, scenarios } = board(past);
    expect([certification.certified, certification.level, scenarios[0]?.level]).toEqual([false, null, null]);
  });

  test.each(REFUSED)('a run %s, which is refused', (_what, changes) => {
    const call = evidence('agent_a', 'test-reserve', 1, { run: run(changes) });
    given(half)
      .when('verify_submit_evidence', call[2] as never, 'agent_a')
      .thenFails('INVALID_INPUT');
  });
});

describe('a run', () => {
  test.each([
    [
      'its command',
      { argv: ['curl', `https://x.test/?token=gh${'p_'}R4nd0mT0k3nOfThisTestZk8Zk8Zk8Zk8Zk8Zk8`] },
      'run.argv[1]',
    ],
    ['its output', { output: `postgres://app:Vq7-tR2x9Lm@db.internal/orders` }, 'run.output'],
    [
      'the name of a test',
      { report: report([{ ...BOOKS, name: `gh${'p_'}R4nd0mT0k3nOfThisTestZk8Zk8Zk8Zk8Zk8Zk8` }]) },
      'run.report.tests[0].name',
    ],
  ])('is refused with a credential in %s, and nothing is stored', (_what, changes, path) => {
    const call = evidence('agent_a', 'test-reserve', 1, { run: run(changes) });
    expect(
      given(open)
        .when('verify_submit_evidence', call[2] as never, 'agent_a')
        .refusal(),
    ).toMatchObject({
      error: 'CREDENTIAL_REJECTED',
      issues: [{ path }],
    });
  });

  test('is stored once under its key, and refused with another exit code under the same key', () => {
    const keyed = (exit_code: number): Call =>
      evidence('agent_a', 'test-reserve', 1, { run: run({ exit_code }), evidence_key: 'key-1' });
    const past = play(open, [keyed(1)]);
    given(past)
      .when('verify_submit_evidence', keyed(1)[2] as never, 'agent_a')
      .thenEvents();
    expect(
      given(past)
        .when('verify_submit_evidence', keyed(0)[2] as never, 'agent_a')
        .refusal().error,
    ).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('can start the attempt and can come with the verdict', () => {
    const item = { kind: 'test_report', claim: 'x', summary: 'x', request_id: 'req-1' };
    const past = play(declaredOf({ tests: testsWith({ evidence_policy: DEMANDS }) }), [
      ['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve', evidence: [{ ...item, run: run() }] }],
      ['agent_b', 'verify_verify', { ...PASS, evidence: [{ ...item, run: RUN_B }] }],
    ]);
    expect(board(past).scenarios[0]).toMatchObject({ status: 'PASSED', level: 'recorded' });
  });

  test('is not repeated by typing it again after a new commit', () => {
    const handshake = (commit: string): Call => [
      'agent_a',
      'verify_handshake',
      { service: 'x', version: '1', commit, environment: 'test', ready: true, dependencies_healthy: true },
    ];
    const past = play(half, [
      evidence('agent_a', 'test-reserve', 1, { run: run() }),
      verdict('agent_b', 'test-reserve'),
      handshake(NEW_COMMIT),
    ]);
    const [start] = given(past).when('verify_next', {}, 'agent_a').reply().items;
    expect(start?.tool).toBe('verify_start_attempt');
    expect(start?.payload).toEqual({ scenario_id: 'test-reserve' });
    expect(start?.reason).toContain('`parley verify run --scenario test-reserve --junit FILE -- COMMAND`');
    const rerun = play(past, [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 2, { run: run({ commit: NEW_COMMIT }) }),
    ]);
    expect(next(rerun, 'agent_b')).toEqual(['verify_submit_evidence test-reserve']);
  });
});

test('the task of a run names the kind that the contract demands and the command would not send', () => {
  const policy = { ...DEMANDS, per_agent_kinds: { agent_a: ['trace', 'test_report'], agent_b: ['metric'] } };
  const reasons = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b') =>
    given(past).when('verify_next', {}, by).reply().items[0]?.reason;
  const past = play(declaredOf({ tests: testsWith({ evidence_policy: policy as typeof DEMANDS }) }), []);
  expect(reasons(past, 'agent_a')).toContain('verify run --scenario test-reserve --junit FILE -- COMMAND');
  const started = play(past, [
    attempt('agent_a', 'test-reserve'),
    evidence('agent_a', 'test-reserve', 1, { kind: 'test_report', run: run() }),
  ]);
  expect(reasons(started, 'agent_a')).toContain(
    'verify run --scenario test-reserve --junit FILE --kind trace -- COMMAND',
  );
  expect(reasons(started, 'agent_b')).toContain(
    'verify run --scenario test-reserve --junit FILE --kind metric --as verifier -- COMMAND',
  );
  const unnamed = { level: 'recorded', per_agent_kinds: { agent_a: ['log'], agent_b: ['test_report'] } };
  const other = play(declaredOf({ tests: testsWith({ evidence_policy: unnamed as unknown as typeof DEMANDS }) }), []);
  expect(reasons(other, 'agent_a')).toContain('verify run --scenario test-reserve -- COMMAND');
  expect(
    reasons(play(other, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve', 1)]), 'agent_b'),
  ).toContain('verify run --scenario test-reserve --kind test_report --as verifier -- COMMAND');
});

test('the level of the certification is the lowest of its scenarios, and null until all have passed', () => {
  const recorded = play(half, [
    evidence('agent_a', 'test-reserve', 1, { run: run() }),
    verdict('agent_b', 'test-reserve'),
  ]);
  expect(board(recorded).certification.level).toBeNull();
  const all = play(recorded, [
    attempt('agent_b', 'test-expiry'),
    evidence('agent_b', 'test-expiry', 1, { request_id: 'req-2' }),
    evidence('agent_a', 'test-expiry', 1, { request_id: 'req-2' }),
    verdict('agent_a', 'test-expiry'),
  ]);
  const { certification, scenarios } = board(all);
  expect([certification.certified, certification.level]).toEqual([true, 'claimed']);
  expect(scenarios.map(({ level }) => level)).toEqual(['recorded', 'claimed']);
});
