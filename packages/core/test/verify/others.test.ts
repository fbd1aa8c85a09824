import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { ended } from '../past.ts';
import { attempt, evidence, firstPassed, handshake, play, verdict } from '../story.ts';
import { declaredOf, NEW_COMMIT, runOf, statuses, WIDE } from './builds.ts';

/** agent_a executes all tests. `test-expiry` and `test-after` depend on `test-reserve`. */
const wide = declaredOf({ tests: WIDE });
const item = { kind: 'log', claim: 'It holds.', summary: 'Seen.', request_id: 'run-1' };
const FALSE = [{ name: 'count', expected: 2, actual: 1, passed: false }];
const URL_WITH_PASSWORD = 'postgres://app:Vq7-tR2x9Lm@db.internal/orders';
/** Only evidence is refused for a credential, when it is judged. */
const WARNED = { session: { secret_policy: 'warn' } } as const;

type Sent = Readonly<Record<string, unknown>>;

const call =
  (tool: 'verify_start_attempt' | 'verify_verify') =>
  (first: Sent, others: readonly Sent[], past: readonly PastEvent[]) =>
    given(past).when(tool, { ...first, others } as never, tool === 'verify_verify' ? 'agent_b' : 'agent_a');
const start = call('verify_start_attempt');
const judge = call('verify_verify');

/** What happened, in ids. */
const happened = (events: readonly PastEvent[]): string[] =>
  events.flatMap(({ kind, actor, data }) => {
    const { scenario_id, attempt: number, verdict: said, defect_id } = Object(data);
    return scenario_id === undefined
      ? []
      : [[kind, actor, scenario_id, number, said, defect_id].filter(Boolean).join(' ')];
  });

describe('others of verify_start_attempt', () => {
  const lone = { scenario_id: 'test-lone', evidence: [item] };
  const reserve = { scenario_id: 'test-reserve', evidence: [{ ...item, evidence_key: 'k1' }] };

  test('are started in their order, each as by a call of its own', () => {
    const outcome = start(lone, [reserve], wide);
    expect(happened(outcome.events())).toEqual([
      'attempt.started agent_a test-lone 1',
      'evidence.submitted agent_a test-lone 1',
      'attempt.started agent_a test-reserve 1',
      'evidence.submitted agent_a test-reserve 1',
    ]);
    expect(outcome.reply()).toMatchObject({
      scenario_id: 'test-lone',
      attempt: 1,
      others: [{ scenario_id: 'test-reserve', attempt: 1, status: 'OPEN' }],
    });
    const single = play(wide, [
      ['agent_a', 'verify_start_attempt', lone],
      ['agent_a', 'verify_start_attempt', reserve],
    ]).slice(wide.length);
    expect(outcome.events()).toEqual(single);
  });

  test('that have begun are answered with their open attempt, and evidence of a known key is not stored again', () => {
    const begun = play(wide, [['agent_a', 'verify_start_attempt', reserve]]);
    expect(happened(start(lone, [reserve], begun).events())).toEqual([
      'attempt.started agent_a test-lone 1',
      'evidence.submitted agent_a test-lone 1',
    ]);
    const both = play(begun, [attempt('agent_a', 'test-lone')]);
    start({ scenario_id: 'test-lone' }, [reserve], both).thenEvents();
  });

  test.each<[string, Sent, string, Sent]>([
    ['waits for another', { scenario_id: 'test-expiry' }, 'DEPENDENCY_NOT_PASSED', { scenario_id: 'test-expiry' }],
    ['is unknown', { scenario_id: 'test-9' }, 'UNKNOWN_RECORD', { scenario_id: 'test-9' }],
    [
      'holds a secret',
      { ...reserve, evidence: [{ ...item, summary: URL_WITH_PASSWORD }] },
      'CREDENTIAL_REJECTED',
      { issues: [expect.objectContaining({ path: 'others[0].evidence[0].summary' })] },
    ],
    [
      'uses a key for other content',
      { ...reserve, evidence: [...reserve.evidence, { ...reserve.evidence[0], claim: 'Other.' }] },
      'IDEMPOTENCY_CONFLICT',
      { scenario_id: 'test-reserve', evidence_key: 'k1' },
    ],
    [
      'has too much evidence',
      { ...reserve, evidence: Array.from({ length: 21 }, () => item) },
      'INVALID_INPUT',
      { issues: [expect.objectContaining({ path: 'others[0].evidence' })] },
    ],
    [
      'lacks the correlation id',
      { ...reserve, evidence: [{ ...item, request_id: '' }] },
      'INVALID_INPUT',
      { issues: [expect.objectContaining({ path: 'others[0].evidence[0].request_id' })] },
    ],
    [
      'is that of the call',
      { scenario_id: 'test-lone' },
      'INVALID_INPUT',
      { issues: [{ path: 'others[0].scenario_id', message: 'Repeats a scenario of this call.' }] },
    ],
    ['has others of its own', { ...reserve, others: [] }, 'INVALID_INPUT', {}],
  ])('are refused with the whole call if one %s, which the error names', (_what, other, code, details) => {
    expect(start(lone, [other], wide).refusal()).toMatchObject({ error: code, ...details });
  });

  test('are refused with the call if the first is, or if only the last is', () => {
    expect(start({ scenario_id: 'test-after' }, [lone], wide).refusal()).toMatchObject({
      error: 'DEPENDENCY_NOT_PASSED',
      scenario_id: 'test-after',
    });
    expect(start(lone, [reserve, { scenario_id: 'test-after' }], wide).refusal()).toMatchObject({
      scenario_id: 'test-after',
    });
    expect(start(lone, [reserve, reserve], wide).refusal()).toMatchObject({
      issues: [{ path: 'others[1].scenario_id' }],
    });
    start({ scenario_id: 'test-expiry' }, [{ scenario_id: 'test-reserve' }], firstPassed).thenFails('NOT_ASSIGNED', {
      executor: 'agent_b',
      scenario_id: 'test-expiry',
    });
  });

  test('with the evidence as drafted are stored once if the call is repeated, and further drafts have other keys', () => {
    const tests = WIDE.map((one) => ({ ...one, evidence_policy: { min_items: 2 } }));
    const all = declaredOf({ tests });
    const due = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b') =>
      given(past).when('verify_next', {}, by).reply().items;
    const completed = (payload: Sent): Sent => ({
      ...payload,
      evidence: [payload.evidence].flat().map((draft) => ({ ...Object(draft), ...item })),
    });
    const [first = {}, ...rest] = due(all, 'agent_a').map(({ payload }) => completed(payload));
    const past = play(all, [['agent_a', 'verify_start_attempt', { ...first, others: rest }]]);
    expect(past).toHaveLength(all.length + 6);
    start(first, rest, past).thenEvents();
    const half = play(past, [evidence('agent_b', 'test-lone', 1, { request_id: 'run-1' })]);
    const keys = due(half, 'agent_b').map(({ payload }) =>
      [payload.evidence].flat().map((one) => Object(one).evidence_key),
    );
    expect(keys).toEqual([['first-2'], ['first-1', 'first-2']]);
  });

  test('that hold a secret are refused first for what any call is refused for', () => {
    const evidence_ = [{ ...item, summary: URL_WITH_PASSWORD }];
    const started = (scenario_id: string, past: readonly PastEvent[]) =>
      given(past, WARNED).when('verify_start_attempt', { scenario_id, evidence: evidence_ } as never, 'agent_a');
    started('test-9', wide).thenFails('UNKNOWN_RECORD');
    started('test-expiry', firstPassed).thenFails('NOT_ASSIGNED');
    started('test-expiry', wide).thenFails('CREDENTIAL_REJECTED');
  });

  test('are at most 19, and none once the session has ended', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ scenario_id: `test-${index}` }));
    start(lone, many.slice(1), wide).thenFails('UNKNOWN_RECORD');
    expect(start(lone, many, wide).refusal()).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: 'others' }] });
    start(lone, [reserve], [...wide, ended]).thenFails('SESSION_ENDED');
  });
});

describe('others of verify_verify', () => {
  const started = play(
    wide,
    ['test-lone', 'test-reserve'].map((scenario_id) => [
      'agent_a',
      'verify_start_attempt',
      { scenario_id, evidence: [item] },
    ]),
  );
  const said = (scenario_id: string, verdict_: string, more: Sent = {}): Sent => ({
    ...{ scenario_id, attempt: 1, verdict: verdict_, evidence: [item] },
    ...more,
  });

  test('are judged in their order, each with its evidence, its defect and its deviations', () => {
    const failing = judge(said('test-lone', 'FAIL'), [said('test-reserve', 'FAIL')], started);
    expect(happened(failing.events())).toEqual([
      'evidence.submitted agent_b test-lone 1',
      'verdict.given agent_b test-lone 1 FAIL',
      'defect.opened system test-lone 1 def_1',
      'evidence.submitted agent_b test-reserve 1',
      'verdict.given agent_b test-reserve 1 FAIL',
      'defect.opened system test-reserve 1 def_2',
    ]);
    expect(failing.reply()).toMatchObject({
      ...{ scenario_id: 'test-lone', status: 'FAILED', defects: [{ defect_id: 'def_1' }] },
      others: [{ scenario_id: 'test-reserve', attempt: 1, status: 'FAILED' }],
    });
    const deviating = said('test-reserve', 'PASS', { deviations: ['Takes a second.'] });
    const passed = play(started, [
      [
        'agent_b',
        'verify_verify',
        { ...said('test-lone', 'PASS'), others: [deviating], followups: [{ kind: 'fault', text: 'Slow.' }] },
      ],
    ]);
    expect(statuses(passed)).toEqual([
      'test-lone PASSED',
      'test-reserve PASSED',
      'test-expiry READY',
      'test-after READY',
    ]);
    expect(given(passed).when('records', { type: 'followup' }, 'owner').reply().records).toMatchObject([
      { followup_id: 'fu_1', kind: 'deviation', origin: { id: 'test-reserve/1' } },
      { followup_id: 'fu_2', kind: 'fault', origin: { id: 'test-lone/1' } },
    ]);
  });

  test('see what the verdicts before them have changed, as single calls do', () => {
    const again = play(wide, [
      ...runOf('test-reserve', 'agent_a'),
      ['agent_a', 'verify_start_attempt', { scenario_id: 'test-expiry', evidence: [item] }],
      ['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve', evidence: [item] }],
    ]);
    const expiry = said('test-expiry', 'PASS');
    const reserve = (verdict_: string) => said('test-reserve', verdict_, { attempt: 2 });
    expect(happened(judge(reserve('PASS'), [expiry], again).events())).toEqual([
      'evidence.submitted agent_b test-reserve 2',
      'verdict.given agent_b test-reserve 2 PASS',
      'evidence.submitted agent_b test-expiry 1',
      'verdict.given agent_b test-expiry 1 PASS',
    ]);
    const refused = { error: 'DEPENDENCY_NOT_PASSED', scenario_id: 'test-expiry' };
    expect(judge(reserve('FAIL'), [expiry], again).refusal()).toMatchObject(refused);
    expect(judge(expiry, [reserve('PASS')], again).refusal()).toMatchObject(refused);
  });

  test.each<[string, Sent, string, Sent]>([
    [
      'lacks evidence',
      said('test-reserve', 'PASS', { evidence: [] }),
      'EVIDENCE_POLICY_UNMET',
      { scenario_id: 'test-reserve' },
    ],
    [
      'passes a failed assertion',
      said('test-reserve', 'PASS', { evidence: [{ ...item, assertions: FALSE }] }),
      'EVIDENCE_POLICY_UNMET',
      { scenario_id: 'test-reserve' },
    ],
    [
      'has another number',
      said('test-reserve', 'PASS', { attempt: 2 }),
      'UNKNOWN_RECORD',
      { scenario_id: 'test-reserve' },
    ],
    [
      'is that of the call',
      said('test-lone', 'PASS'),
      'INVALID_INPUT',
      { issues: [{ path: 'others[0].scenario_id' }] },
    ],
    ['is a CARRY', said('test-reserve', 'CARRY'), 'INVALID_INPUT', { issues: [{ path: 'others[0].verdict' }] }],
    [
      'is a FAIL with deviations',
      said('test-reserve', 'FAIL', { deviations: ['Slow.'] }),
      'INVALID_INPUT',
      { issues: [{ path: 'others[0].deviations' }] },
    ],
    [
      'holds a secret',
      said('test-reserve', 'FAIL', { evidence: [{ ...item, summary: URL_WITH_PASSWORD }] }),
      'CREDENTIAL_REJECTED',
      { issues: [expect.objectContaining({ path: 'others[0].evidence[0].summary' })] },
    ],
  ])('are refused with the whole call if one %s, which the error names', (_what, other, code, details) => {
    expect(judge(said('test-lone', 'FAIL'), [other], started).refusal()).toMatchObject({ error: code, ...details });
  });

  test('are refused with the whole call if the judge has started one, or if it is judged', () => {
    const lone = verdict('agent_b', 'test-lone', 1, 'FAIL');
    const judged = play(started, [lone]);
    judge(said('test-reserve', 'PASS'), [said('test-lone', 'PASS')], judged).thenFails('ATTEMPT_CLOSED', {
      status: 'FAILED',
      scenario_id: 'test-lone',
    });
    judge(said('test-lone', 'PASS'), [said('test-reserve', 'PASS')], judged).thenFails('ATTEMPT_CLOSED');
    const ofB = play(firstPassed, [
      attempt('agent_b', 'test-expiry'),
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 2, { request_id: 'run-1' }),
    ]);
    judge(said('test-reserve', 'PASS', { attempt: 2 }), [said('test-expiry', 'PASS')], ofB).thenFails(
      'SELF_VERIFICATION',
      {
        scenario_id: 'test-expiry',
      },
    );
    const moved = play(started, [handshake('agent_a', { commit: NEW_COMMIT })]);
    judge(said('test-lone', 'PASS'), [said('test-reserve', 'PASS')], moved).thenFails('ATTEMPT_CLOSED', {
      status: 'ABORTED',
      scenario_id: 'test-lone',
    });
  });

  test('that hold a secret are refused first for the attempt', () => {
    const secret = { evidence: [{ ...item, summary: URL_WITH_PASSWORD }] };
    const judged = play(started, [verdict('agent_b', 'test-lone', 1, 'FAIL')]);
    const judging = (past: readonly PastEvent[], scenario_id: string, by: 'agent_a' | 'agent_b' = 'agent_b') =>
      given(past, WARNED).when('verify_verify', said(scenario_id, 'FAIL', secret) as never, by);
    judging(started, 'test-9').thenFails('UNKNOWN_RECORD');
    judging(judged, 'test-lone').thenFails('ATTEMPT_CLOSED');
    judging(started, 'test-lone', 'agent_a').thenFails('SELF_VERIFICATION');
    judging(started, 'test-lone').thenFails('CREDENTIAL_REJECTED');
  });

  test('must be left out of a CARRY', () => {
    const carry = { scenario_id: 'test-lone', attempt: 1, verdict: 'CARRY', commit: NEW_COMMIT, note: 'Docs only.' };
    expect(judge(carry, [said('test-reserve', 'PASS')], started).refusal()).toMatchObject({
      error: 'INVALID_INPUT',
      issues: [{ path: 'others', message: 'Must be left out of a CARRY; send it alone.' }],
    });
  });
});
