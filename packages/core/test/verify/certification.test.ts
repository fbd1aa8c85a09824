import { describe, expect, test } from 'vitest';
import type { PastEvent } from '../../src/testing/index.ts';
import { attempt, building, declared, evidence, failed, firstPassed, handshake, play, releasable } from '../story.ts';
import { board, declaredOf, NEW_COMMIT, runOf, statuses, testsWith } from './builds.ts';

/** The checks that do not hold, with the reason of each. */
const left = (past: readonly PastEvent[]): Record<string, string> =>
  Object.fromEntries(
    board(past).certification.checks.flatMap(({ check, ok, detail }) => (ok ? [] : [[check, detail]])),
  );

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
        SCENARIOS_PASSED: 'Not passed: test-reserve READY, test-expiry WAITING.',
        HANDSHAKES_CURRENT: 'agent_a has declared none; agent_b has declared none.',
        REQUIREMENTS_PROVEN: 'Not proven: R1, R2.',
        EVIDENCE_FROM_BOTH: 'Nothing has passed yet.',
      },
    ],
    [
      'while one scenario is left',
      firstPassed,
      { SCENARIOS_PASSED: 'Not passed: test-expiry READY.', REQUIREMENTS_PROVEN: 'Not proven: R2.' },
    ],
    [
      'while a pass is in doubt',
      play(releasable, [attempt('agent_a', 'test-reserve')]),
      { SCENARIOS_PASSED: 'Not passed: test-reserve OPEN.', REQUIREMENTS_PROVEN: 'Not proven: R1.' },
    ],
    [
      'after a failure',
      play(releasable, runOf('test-reserve', 'agent_a', 2, 'FAIL')),
      {
        SCENARIOS_PASSED: 'Not passed: test-reserve FAILED.',
        NO_OPEN_DEFECT: 'Standing: def_1 OPEN.',
        REQUIREMENTS_PROVEN: 'Not proven: R1.',
      },
    ],
    [
      'before the rerun of what was fixed',
      fixed,
      {
        SCENARIOS_PASSED: 'Not passed: test-reserve FAILED, test-expiry WAITING.',
        NO_OPEN_DEFECT: 'Standing: def_1 FIXED.',
        REQUIREMENTS_PROVEN: 'Not proven: R1, R2.',
        EVIDENCE_FROM_BOTH: 'Nothing has passed yet.',
      },
    ],
    [
      'on stale passes',
      play(releasable, [handshake('agent_a', { commit: NEW_COMMIT })]),
      {
        SCENARIOS_PASSED: 'Not passed: test-reserve STALE, test-expiry STALE.',
        REQUIREMENTS_PROVEN: 'Not proven: R1, R2.',
        EVIDENCE_FROM_BOTH: 'Nothing has passed yet.',
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
      { HANDSHAKES_CURRENT: 'agent_b has another fixture_version.' },
    ],
    [
      'while one side alone is declared',
      play(building, [handshake('agent_b')]),
      {
        SCENARIOS_PASSED: 'Not passed: test-reserve READY, test-expiry WAITING.',
        HANDSHAKES_CURRENT: 'agent_a has declared none.',
        REQUIREMENTS_PROVEN: 'Not proven: R1, R2.',
        EVIDENCE_FROM_BOTH: 'Nothing has passed yet.',
      },
    ],
  ])('does not hold %s', (_when, past, expected) => {
    expect(left(past)).toEqual(expected);
  });

  test('does not hold on a pass that one agent alone gave evidence for, however it came into the log', () => {
    const forced: PastEvent = {
      kind: 'verdict.given',
      actor: 'agent_b',
      data: { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' },
    };
    const past = [...play(declared, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')]), forced];
    expect(left(past)).toMatchObject({ EVIDENCE_FROM_BOTH: 'Evidence of one agent alone: test-reserve.' });
  });

  test('takes the fixture as right where none is declared, and where it is the right one', () => {
    expect(left(play(releasable, [handshake('agent_a', { fixture_version: '1' })]))).toEqual({});
  });
});

describe('the scenarios', () => {
  const third = { executor: 'agent_a' as const, depends_on: ['test-reserve'] };
  const chain = declaredOf({ tests: testsWith({}, third) });

  test.each<[string, readonly PastEvent[], string[]]>([
    ['declared', declared, ['test-reserve READY', 'test-expiry WAITING']],
    ['started', play(declared, [attempt('agent_a', 'test-reserve')]), ['test-reserve OPEN', 'test-expiry WAITING']],
    [
      'open while its dependency runs again',
      play(firstPassed, [attempt('agent_b', 'test-expiry'), attempt('agent_a', 'test-reserve')]),
      ['test-reserve OPEN', 'test-expiry OPEN'],
    ],
    [
      'evidence of one',
      play(declared, [attempt('agent_a', 'test-reserve'), evidence('agent_a', 'test-reserve')]),
      ['test-reserve OPEN', 'test-expiry WAITING'],
    ],
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
      'run again after it was stale',
      play(firstPassed, [handshake('agent_b', { commit: NEW_COMMIT }), ...runOf('test-reserve', 'agent_a', 2)]),
      ['test-reserve PASSED', 'test-expiry READY'],
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
