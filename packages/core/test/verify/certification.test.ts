import { describe, expect, test } from 'vitest';
import type { PastEvent } from '../../src/testing/index.ts';
import { finds, findsAndHolds, respondsTo, stopped } from '../moderation.ts';
import {
  attempt,
  building,
  type Call,
  declared,
  deployed,
  evidence,
  failed,
  firstPassed,
  handshake,
  play,
  releasable,
} from '../story.ts';
import { board, declaredOf, NEW_COMMIT, runOf, statuses, testsWith } from './builds.ts';

/** The details of the checks that do not hold, by the name of the check. */
const left = (past: readonly PastEvent[]): Record<string, string> =>
  Object.fromEntries(
    board(past).certification.checks.flatMap(({ check, ok, detail }) => (ok ? [] : [[check, detail]])),
  );

const isPreflight = ({ kind }: PastEvent): boolean => kind === 'preflight.submitted';
/** Without a preflight, the tests of the contract alone name the requirements that they prove. */
const unmapped = declared.filter((event) => !isPreflight(event));

const BOTH_LEFT =
  'Requirements without proof, with the tests that have not passed: R1 (test-reserve), R2 (test-expiry).';
const R1_LEFT = 'Requirements without proof, with the tests that have not passed: R1 (test-reserve).';
const NOT_BEGUN = {
  SCENARIOS_PASSED: 'Scenarios that have not passed: test-reserve READY, test-expiry WAITING.',
  REQUIREMENTS_PROVEN: BOTH_LEFT,
  EVIDENCE_FROM_BOTH: 'No scenario has passed yet.',
};

const fixed = play(failed, [
  handshake('agent_b', { commit: NEW_COMMIT }),
  ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
]);

describe('the certification', () => {
  test('holds', () => {
    expect(left(releasable)).toEqual({});
  });

  test.each<[string, readonly PastEvent[], Record<string, string>]>([
    [
      'before anything is declared',
      building,
      {
        ...NOT_BEGUN,
        HANDSHAKES_CURRENT: 'agent_a has declared no handshake; agent_b has declared no handshake.',
      },
    ],
    ['before anything has passed, without a preflight', unmapped, NOT_BEGUN],
    [
      'while one scenario is left',
      firstPassed,
      {
        SCENARIOS_PASSED: 'Scenarios that have not passed: test-expiry READY.',
        REQUIREMENTS_PROVEN: 'Requirements without proof, with the tests that have not passed: R2 (test-expiry).',
      },
    ],
    [
      'while a pass is in doubt',
      play(releasable, [attempt('agent_a', 'test-reserve')]),
      {
        SCENARIOS_PASSED: 'Scenarios that have not passed: test-reserve OPEN.',
        REQUIREMENTS_PROVEN: R1_LEFT,
      },
    ],
    [
      'after a failure',
      play(releasable, runOf('test-reserve', 'agent_a', 2, 'FAIL')),
      {
        SCENARIOS_PASSED: 'Scenarios that have not passed: test-reserve FAILED.',
        NO_OPEN_DEFECT: 'Defects that are neither closed nor waived: def_1 OPEN.',
        REQUIREMENTS_PROVEN: R1_LEFT,
      },
    ],
    [
      'before the rerun of what was fixed',
      fixed,
      {
        SCENARIOS_PASSED: 'Scenarios that have not passed: test-reserve FAILED, test-expiry WAITING.',
        NO_OPEN_DEFECT: 'Defects that are neither closed nor waived: def_1 FIXED.',
        REQUIREMENTS_PROVEN: BOTH_LEFT,
        EVIDENCE_FROM_BOTH: 'No scenario has passed yet.',
      },
    ],
    [
      'on stale passes',
      play(releasable, [handshake('agent_a', { commit: NEW_COMMIT })]),
      {
        SCENARIOS_PASSED: 'Scenarios that have not passed: test-reserve STALE, test-expiry STALE.',
        REQUIREMENTS_PROVEN: BOTH_LEFT,
        EVIDENCE_FROM_BOTH: 'No scenario has passed yet.',
      },
    ],
    [
      'while a side is not ready',
      play(releasable, [handshake('agent_a', { ready: false })]),
      { HANDSHAKES_CURRENT: 'agent_a is not ready or not healthy.' },
    ],
    [
      'while both sides are unhealthy',
      play(releasable, [
        handshake('agent_a', { dependencies_healthy: false }),
        handshake('agent_b', { dependencies_healthy: false }),
      ]),
      { HANDSHAKES_CURRENT: 'agent_a is not ready or not healthy; agent_b is not ready or not healthy.' },
    ],
    [
      'while a side has another fixture',
      play(releasable, [handshake('agent_b', { fixture_version: '2' })]),
      { HANDSHAKES_CURRENT: 'agent_b has declared another fixture_version than the manifest.' },
    ],
    [
      'while one side alone is declared',
      play(building, [handshake('agent_b')]),
      { ...NOT_BEGUN, HANDSHAKES_CURRENT: 'agent_a has declared no handshake.' },
    ],
  ])('does not hold %s', (_when, past, expected) => {
    expect(left(past)).toEqual(expected);
  });

  test('does not hold on a pass with the evidence of one agent only, however it came into the log', () => {
    const forced: PastEvent = {
      kind: 'verdict.given',
      actor: 'agent_b',
      data: { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' },
    };
    const past = [...play(declared, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')]), forced];
    expect(left(past)).toMatchObject({
      EVIDENCE_FROM_BOTH: 'Scenarios with evidence of only one agent: test-reserve.',
    });
  });

  test('proves a requirement only by all of the tests that are mapped to it', () => {
    const mappings = [
      { requirement_id: 'R1', tests: ['test-reserve', 'test-expiry'] },
      { requirement_id: 'R2', decisions: ['d_1'] },
    ];
    const mapped = declaredOf({}, ['agent_a', 'submit_preflight', { mappings }]);
    expect(left(mapped)).toMatchObject({
      REQUIREMENTS_PROVEN:
        'Requirements without proof, with the tests that have not passed: R1 (test-reserve, test-expiry).',
    });
    const halfProven = play(mapped, runOf('test-reserve', 'agent_a'));
    expect(left(halfProven)).toEqual({
      SCENARIOS_PASSED: 'Scenarios that have not passed: test-expiry READY.',
      REQUIREMENTS_PROVEN: 'Requirements without proof, with the tests that have not passed: R1 (test-expiry).',
    });
    expect(left(play(halfProven, runOf('test-expiry', 'agent_b')))).toEqual({});
  });

  test('treats the fixture as right if none is declared, and if the declared one is right', () => {
    expect(left(play(releasable, [handshake('agent_a', { fixture_version: '1' })]))).toEqual({});
  });
});

describe('an open blocking finding', () => {
  const byReviewer: Call = ['agent_b', 'submit_finding', { text: 'No error for an unknown article.' }];
  const byModerator = finds();
  const override: Call = ['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'Known.' }];
  const resolve = (by: 'agent_b' | 'moderator'): Call => [
    by,
    'resolve_finding',
    { finding_id: 'f_1', outcome: 'RESOLVED' },
  ];

  test.each<[string, readonly PastEvent[], string]>([
    [
      'of a builder in VERIFY',
      play(releasable, [byReviewer]),
      'Open blocking findings, each with who can close it: f_1 (agent_b or owner).',
    ],
    [
      'that was answered',
      play(releasable, [byReviewer, respondsTo('f_1')]),
      'Open blocking findings, each with who can close it: f_1 (agent_b or owner).',
    ],
    [
      'raised in RELEASE',
      play(deployed, [byReviewer]),
      'Open blocking findings, each with who can close it: f_1 (agent_b or owner).',
    ],
    [
      'of the moderator',
      play(releasable, [byModerator, byReviewer]),
      'Open blocking findings, each with who can close it: f_1 (moderator or owner), f_2 (agent_b or owner).',
    ],
    [
      'of a moderator that cannot act',
      [...play(releasable, [byModerator]), stopped],
      'Open blocking findings, each with who can close it: f_1 (owner).',
    ],
    [
      'whose hold was released',
      play(releasable, [findsAndHolds, ['owner', 'releaseHold', { hold_id: 'h_1', reason: 'Known.' }]]),
      'Open blocking findings, each with who can close it: f_1 (moderator or owner).',
    ],
  ])('%s stops the certification', (_which, past, detail) => {
    expect(left(past)).toEqual({ NO_BLOCKING_FINDING: detail });
    expect(board(past).certification.certified).toBe(false);
  });

  test.each<[string, readonly Call[]]>([
    ['the builder that raised it resolves it', [byReviewer, resolve('agent_b')]],
    ['the moderator resolves it', [byModerator, resolve('moderator')]],
    ['the moderator resolves it with its hold', [findsAndHolds, resolve('moderator')]],
    ['the owner overrides it', [byReviewer, override]],
    ['the owner overrides it with its hold', [findsAndHolds, override]],
  ])('no longer stops anything once %s', (_how, calls) => {
    expect(left(play(releasable, calls))).toEqual({});
    expect(left(play(deployed, calls))).toEqual({});
  });

  test('stops nothing if it does not block', () => {
    expect(left(play(releasable, [finds({ blocking: false })]))).toEqual({});
  });
});

describe('the scenarios', () => {
  const third = { executor: 'agent_a' as const, depends_on: ['test-reserve'] };
  const chain = declaredOf({ tests: testsWith({}, third) });

  test.each<[string, readonly PastEvent[], string[]]>([
    ['declared', declared, ['test-reserve READY', 'test-expiry WAITING']],
    [
      'evidence of both',
      play(chain, runOf('test-reserve', 'agent_a').slice(0, 3)),
      ['test-reserve AWAITING_VERDICT', 'test-expiry WAITING'],
    ],
    ['passed', firstPassed, ['test-reserve PASSED', 'test-expiry READY']],
    ['failed', failed, ['test-reserve FAILED', 'test-expiry WAITING']],
    ['fixed', fixed, ['test-reserve FAILED', 'test-expiry WAITING']],
    [
      'stale',
      play(firstPassed, [handshake('agent_b', { commit: NEW_COMMIT })]),
      ['test-reserve STALE', 'test-expiry WAITING'],
    ],
    [
      'aborted after it was stale',
      play(firstPassed, [
        handshake('agent_b', { commit: NEW_COMMIT }),
        attempt('agent_a', 'test-reserve'),
        handshake('agent_b', { commit: 'd'.repeat(40) }),
      ]),
      ['test-reserve STALE', 'test-expiry WAITING'],
    ],
  ])('%s', (_when, past, expected) => {
    expect(statuses(past)).toEqual(expected);
  });
});
