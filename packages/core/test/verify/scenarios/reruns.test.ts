import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { attempt, evidence, firstPassed, handshake, play } from '../../story.ts';
import { declaredOf, items, NEW_COMMIT, next, runOf, statuses, testsWith, WIDE } from '../builds.ts';

const SEEN = [{ name: 'count', expected: { units: 2 }, actual: { units: 2 }, passed: true }];
const TO_SEE = [{ name: 'count', expected: { units: 2 }, actual: '<what you saw>', passed: '<true or false>' }];
const RUN = '<correlation id seen in the system under test>';

const told = play(declaredOf({}), [
  attempt('agent_a', 'test-reserve'),
  evidence('agent_a', 'test-reserve', 1, { claim: 'It answers 201.', kind: 'http_exchange', assertions: SEEN }),
  evidence('agent_b', 'test-reserve', 1, { claim: 'Two units are gone.', assertions: SEEN }),
  ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' }],
  handshake('agent_a', { commit: NEW_COMMIT }),
]);
const FORMER_A = {
  kind: 'http_exchange',
  claim: 'It answers <number>.',
  summary: '<what you saw>',
  request_id: RUN,
  assertions: TO_SEE,
  evidence_key: 'former-1',
};
const FORMER_B = { ...FORMER_A, kind: 'log', claim: 'Two units are gone.', request_id: 'req-9' };

const seen = { summary: 'Seen again.', assertions: SEEN };
const restarted = play(told, [
  [
    'agent_a',
    'verify_start_attempt',
    { scenario_id: 'test-reserve', evidence: [{ ...FORMER_A, ...seen, request_id: 'req-9' }] },
  ],
]);

describe('a rerun in verify_next', () => {
  test('is one call of each builder, with claim and assertions of the earlier attempt', () => {
    expect(items(told, 'agent_a')).toMatchObject([
      {
        tool: 'verify_start_attempt',
        route: 'POST verify/attempts',
        payload: { scenario_id: 'test-reserve', evidence: [FORMER_A] },
      },
    ]);
    expect(items(restarted, 'agent_b')).toMatchObject([
      {
        tool: 'verify_verify',
        route: 'POST verify/verifications',
        scenario_id: 'test-reserve',
        payload: {
          scenario_id: 'test-reserve',
          attempt: 2,
          verdict: '<PASS or FAIL>',
          note: '<why>',
          evidence: [FORMER_B],
        },
        reason:
          'Attempt test-reserve/2 is a rerun: read what agent_a gave (given, else verify_board), then give your evidence and your verdict.',
      },
    ]);
    const judged = play(restarted, [
      [
        'agent_b',
        'verify_verify',
        {
          scenario_id: 'test-reserve',
          attempt: 2,
          verdict: 'PASS',
          note: 'Seen.',
          evidence: [{ ...FORMER_B, ...seen }],
        },
      ],
    ]);
    expect(statuses(judged)).toEqual(['test-reserve PASSED', 'test-expiry READY']);
  });

  test('leaves commits and numbers of the earlier attempt out of claims and of names and expected texts of assertions', () => {
    const named = { name: '38/38 tests at aaaaaaaaaaaa', expected: ['aaaaaaaaaaaa', 38], actual: 38, passed: true };
    const past = play(declaredOf({}), [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 1, {
        claim: 'At aaaaaaaaaaaa and 4f3c2b1, 38 of 38 tests of if-2 pass in 1.5 s.',
        assertions: [named],
      }),
      evidence('agent_b', 'test-reserve', 1),
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' }],
      handshake('agent_a', { commit: NEW_COMMIT }),
    ]);
    expect(items(past, 'agent_a')).toMatchObject([
      {
        payload: {
          evidence: [
            {
              claim: 'At <commit> and <commit>, <number> of <number> tests of if-2 pass in <number> s.',
              assertions: [{ name: '<number> tests at <commit>', expected: ['<commit>', 38] }],
            },
          ],
        },
      },
    ]);
  });

  test('is the same call on the board and in the state, without the texts', () => {
    const { next_actions } = given(told).when('verify_board', {}, 'agent_a').reply();
    expect(next_actions?.[0]?.payload).toEqual({
      scenario_id: 'test-reserve',
      evidence: [{ ...FORMER_A, claim: '<what it shows>', assertions: [] }],
    });
    const { instruction } = given(restarted).when('read_session_state', {}, 'agent_b').reply();
    expect(instruction.tool).toBe('verify_verify');
  });

  test('is refused while a placeholder is left', () => {
    const [item] = items(told, 'agent_a');
    const refusal = given(told)
      .when('verify_start_attempt', item?.payload as never, 'agent_a')
      .refusal();
    expect(refusal).toMatchObject({
      error: 'INVALID_INPUT',
      issues: [{ path: 'evidence[0].assertions[0].passed' }],
    });
  });

  test('is completed item by item if the agent starts it without evidence', () => {
    const bare = play(told, [attempt('agent_a', 'test-reserve')]);
    expect(items(bare, 'agent_a')).toMatchObject([
      { tool: 'verify_submit_evidence', payload: { scenario_id: 'test-reserve', attempt: 2, ...FORMER_A } },
    ]);
    expect(next(bare, 'agent_b')).toEqual([]);
  });

  test('offers only a FAIL beside the evidence while an assertion of the attempt failed and each side chooses its run', () => {
    const past = play(declaredOf({ tests: testsWith({ evidence_policy: { correlated: false } }) }), [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 1),
      evidence('agent_b', 'test-reserve', 1),
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' }],
      handshake('agent_a', { commit: NEW_COMMIT }),
      attempt('agent_a', 'test-reserve'),
    ]);
    const failed = evidence('agent_a', 'test-reserve', 2, {
      request_id: 'req-7',
      assertions: [{ name: 'count', expected: 2, actual: 1, passed: false }],
    });
    const clean = evidence('agent_a', 'test-reserve', 2, { request_id: 'req-2' });
    const said = (calls: Parameters<typeof play>[1]) => items(play(past, calls), 'agent_b')[0]?.payload.verdict;
    expect(said([clean])).toBe('<PASS or FAIL>');
    expect(said([failed, clean])).toBe('FAIL');
  });

  test('shows each builder only its own earlier evidence, of the run that was judged', () => {
    const policy = { min_items: 2 };
    const past = play(declaredOf({ tests: testsWith({ evidence_policy: policy }) }), [
      attempt('agent_a', 'test-reserve'),
      evidence('agent_a', 'test-reserve', 1, { request_id: 'req-0', claim: 'Of another run.' }),
      ...['One.', 'Two.'].flatMap((claim) => [
        evidence('agent_a', 'test-reserve', 1, { claim: `A: ${claim}` }),
        evidence('agent_b', 'test-reserve', 1, { claim: `B: ${claim}` }),
      ]),
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' }],
      handshake('agent_b', { commit: NEW_COMMIT }),
    ]);
    expect(items(past, 'agent_a')[0]?.payload).toMatchObject({
      evidence: [
        { claim: 'A: One.', evidence_key: 'former-1' },
        { claim: 'A: Two.', evidence_key: 'former-2' },
      ],
    });
    const half = play(past, [
      [
        'agent_a',
        'verify_start_attempt',
        {
          scenario_id: 'test-reserve',
          evidence: ['One.', 'Two.'].map((claim) => ({ kind: 'log', claim, summary: 'Seen.', request_id: 'req-5' })),
        },
      ],
      evidence('agent_b', 'test-reserve', 2, { request_id: 'req-5' }),
    ]);
    expect(items(half, 'agent_b')).toMatchObject([
      {
        tool: 'verify_verify',
        payload: { evidence: [{ claim: 'B: Two.', request_id: 'req-5', evidence_key: 'former-2' }] },
      },
    ]);
  });

  test('drafts what the contract asks for if the former evidence is no longer enough', () => {
    const said = ['One.', 'Two.'].map((claim) => ({ kind: 'log', claim, summary: 'Seen.', request_id: 'req-1' }));
    const rerun = said.map((one) => ({ ...one, request_id: 'req-5' }));
    const start = (evidence_: readonly object[]) =>
      ['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve', evidence: evidence_ }] as const;
    const judge = { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS', evidence: said };
    const past = play(declaredOf({ tests: testsWith({ evidence_policy: { min_items: 2 } }) }), [
      start(said),
      ['agent_b', 'verify_verify', judge],
      handshake('agent_b', { commit: NEW_COMMIT }),
      start(rerun),
      evidence('agent_b', 'test-reserve', 2, { request_id: 'req-9' }),
    ]);
    const draft = { kind: '<kind of evidence>', claim: '<what it shows>', summary: '<what you saw>' };
    expect(items(past, 'agent_b')[0]?.payload.evidence).toEqual([
      { ...draft, request_id: 'req-5', evidence_key: 'first-2' },
      { ...draft, request_id: 'req-5', evidence_key: 'first-3' },
    ]);
  });

  test('has the same order for both builders', () => {
    const alike = WIDE.map((each) => ({ ...each, depends_on: [] }));
    const stale = play(declaredOf({ tests: alike }), [
      ...['test-expiry', 'test-lone', 'test-reserve'].flatMap((id) => runOf(id, 'agent_a')),
      handshake('agent_b', { commit: NEW_COMMIT }),
    ]);
    const order = ['test-lone', 'test-reserve', 'test-expiry'];
    expect(next(stale, 'agent_a')).toEqual([...order, 'test-after'].map((id) => `verify_start_attempt ${id}`));
    const said = { kind: 'log', claim: 'It holds.', summary: 'Seen.', request_id: 'run-2' };
    const started = play(
      stale,
      ['test-after', 'test-expiry', 'test-reserve', 'test-lone'].map((scenario_id) => [
        'agent_a',
        'verify_start_attempt',
        { scenario_id, evidence: [said] },
      ]),
    );
    expect(next(started, 'agent_b')).toEqual([...order, 'test-after'].map((id) => `verify_verify ${id}`));
  });

  test('has the evidence that the contract asks for if none was submitted for the judged attempt', () => {
    const past = play(declaredOf({}), [
      attempt('agent_a', 'test-reserve'),
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'FAIL' }],
      ['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }],
    ]);
    const evidence_ = [
      {
        ...{ kind: '<kind of evidence>', claim: '<what it shows>', summary: '<what you saw>', request_id: RUN },
        evidence_key: 'first-1',
      },
    ];
    expect(items(past, 'agent_a').map(({ payload }) => payload)).toEqual([
      { scenario_id: 'test-reserve', evidence: evidence_ },
    ]);
  });
});

describe('evidence in the call that starts or judges', () => {
  const item = { kind: 'log', claim: 'It holds.', summary: 'Seen.', request_id: 'req-2', evidence_key: 'k1' };
  const start = (evidence_: readonly object[], past = firstPassed) =>
    given(past).when('verify_start_attempt', { scenario_id: 'test-reserve', evidence: evidence_ } as never, 'agent_a');

  test('is stored after the start, in one append', () => {
    expect(
      start([item, { ...item, evidence_key: 'k2' }])
        .events()
        .map(({ kind, actor }) => `${kind} ${actor}`),
    ).toEqual(['attempt.started agent_a', 'evidence.submitted agent_a', 'evidence.submitted agent_a']);
    expect(start([item]).reply()).toMatchObject({
      attempt: 2,
      status: 'OPEN',
      evaluation: { request_id: 'req-2', missing: ['agent_b: 1 more item'] },
    });
  });

  const open = play(firstPassed, [
    ['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve', evidence: [item] }],
  ]);
  const judge = (verdict: string, evidence_: readonly object[]) =>
    given(open).when(
      'verify_verify',
      { scenario_id: 'test-reserve', attempt: 2, verdict, evidence: evidence_ } as never,
      'agent_b',
    );

  test('counts for the verdict of the same call', () => {
    expect(
      judge('PASS', [item])
        .events()
        .map(({ kind, actor }) => `${kind} ${actor}`),
    ).toEqual(['evidence.submitted agent_b', 'verdict.given agent_b']);
    judge('PASS', []).thenFails('EVIDENCE_POLICY_UNMET', { missing: ['agent_b: 1 more item'], failing: [] });
    const failing = { ...item, assertions: [{ name: 'count', expected: 2, actual: 1, passed: false }] };
    judge('PASS', [failing]).thenFails('EVIDENCE_POLICY_UNMET', {
      missing: [],
      failing: ['agent_b: an assertion failed in the evidence of this call'],
    });
    expect(judge('FAIL', [failing]).reply()).toMatchObject({ status: 'FAILED' });
  });
});
