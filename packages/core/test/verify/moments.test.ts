import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import {
  attempt,
  awaiting,
  building,
  type Call,
  confirmation,
  declared,
  deployed,
  evidence,
  failed,
  firstPassed,
  handshake,
  play,
  receipts,
  releasable,
  review,
  rightReport,
} from '../story.ts';
import { board, NEW_COMMIT, next, runOf, statuses } from './builds.ts';

const open = play(declared, [attempt('agent_a', 'test-reserve')]);
const half = play(open, [evidence('agent_a', 'test-reserve')]);
const inDoubt = play(releasable, [attempt('agent_a', 'test-reserve')]);
const activated = play(deployed, [['owner', 'authorize', { stage: 'activation' }]]);

/** Each row: name of a moment, past events up to it, statuses of the scenarios, and status of the last attempt of test-reserve. */
const MOMENTS: readonly [string, readonly PastEvent[], string[], string | undefined][] = [
  ['before the first attempt', declared, ['test-reserve READY', 'test-expiry WAITING'], undefined],
  ['in the middle of an attempt', open, ['test-reserve READY', 'test-expiry WAITING'], 'ABORTED'],
  ["between the agents' evidence", half, ['test-reserve READY', 'test-expiry WAITING'], 'ABORTED'],
  ['between evidence and verdict', awaiting, ['test-reserve READY', 'test-expiry WAITING'], 'ABORTED'],
  ['after a pass', firstPassed, ['test-reserve STALE', 'test-expiry WAITING'], 'PASSED'],
  ['after a failure', failed, ['test-reserve FAILED', 'test-expiry WAITING'], 'FAILED'],
  ['after the certification', releasable, ['test-reserve STALE', 'test-expiry STALE'], 'PASSED'],
  ['while a pass is in doubt', inDoubt, ['test-reserve STALE', 'test-expiry STALE'], 'ABORTED'],
  ['after the deployment', deployed, ['test-reserve STALE', 'test-expiry STALE'], 'PASSED'],
  ['after the activation', activated, ['test-reserve STALE', 'test-expiry STALE'], 'PASSED'],
];
const OLD = { agent_a: 'a'.repeat(40), agent_b: 'b'.repeat(40) };

describe('another commit', () => {
  /** The builders declare it in turn. */
  test.each(MOMENTS.map((row, index) => [...row, index % 2 === 0 ? 'agent_b' : 'agent_a'] as const))('%s', (...row) => {
    const [, past, expected, attemptStatus, by] = row;
    const why = `${by} declared commit ${NEW_COMMIT} instead of ${OLD[by]}.`;
    const after = play(past, [handshake(by, { commit: NEW_COMMIT })]);
    const { scenarios, ...rest } = board(after);
    expect(scenarios.map(({ scenario_id, status }) => `${scenario_id} ${status}`)).toEqual(expected);
    const last = scenarios[0]?.attempts.at(-1);
    expect([last?.status, last?.reason ?? null]).toEqual([attemptStatus, attemptStatus === 'ABORTED' ? why : null]);
    for (const { status, reason } of scenarios) if (status === 'STALE') expect(reason).toBe(why);
    expect(rest).toMatchObject({
      phase: 'VERIFY',
      certification: { certified: false },
      authorizations: { build_authorized: true, deployment_authorized: false, activation_authorized: false },
    });
    given(after).when('authorize', { stage: 'deployment' }, 'owner').thenFails('CERTIFICATION_INCOMPLETE');
  });

  test('does not restore a pass when the earlier commit is declared again', () => {
    const back = play(releasable, [handshake('agent_a', { commit: NEW_COMMIT }), handshake('agent_a')]);
    expect(statuses(back)).toEqual(['test-reserve STALE', 'test-expiry STALE']);
  });

  test('allows all scenarios to be run again and released on it', () => {
    const again = play(deployed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ...runOf('test-reserve', 'agent_a', 2),
      ...runOf('test-expiry', 'agent_b', 2),
      ['owner', 'authorize', { stage: 'deployment' }],
      ['owner', 'authorize', { stage: 'activation' }],
    ]);
    expect(board(again).authorizations).toEqual({
      build_authorized: true,
      deployment_authorized: true,
      activation_authorized: true,
    });
    expect(again.at(-1)).toMatchObject({ data: { commits: { ...OLD, agent_b: NEW_COMMIT } } });
  });
});

const sendsBack: Call = ['owner', 'requestChanges', { reason: 'Name the error.' }];
const resubmits = (past: readonly PastEvent[]): PastEvent[] => {
  const { contract } = given(past).when('get_final_plan', {}, 'agent_a').reply();
  return play(past, [['agent_a', 'submit_contract', { contract, expected_parent_id: 'r_1', reason: 'As it was.' }]]);
};

/** Approves the same contract again, as r_2, and authorizes the build again. */
function approvedAgain(past: readonly PastEvent[]): PastEvent[] {
  const approved = play(resubmits(past), [
    review('agent_a', 'APPROVE', 'r_2'),
    review('agent_b', 'APPROVE', 'r_2'),
    ['owner', 'approveContract', { revision_id: 'r_2', content_hash: SAMPLE_HASH }],
  ]);
  const received = play(approved, [...receipts(approved, 'agent_a'), ...receipts(approved, 'agent_b')]);
  const reported = play(received, [
    ['agent_a', 'submit_readiness', { ...rightReport(received, 'agent_a'), revision_id: 'r_2' }],
    ['agent_b', 'submit_readiness', { ...rightReport(received, 'agent_b'), revision_id: 'r_2' }],
  ]);
  return play(reported, [
    confirmation(reported, 'agent_a'),
    confirmation(reported, 'agent_b'),
    ['owner', 'authorize', { stage: 'build' }],
  ]);
}

describe('changes that the owner requests', () => {
  test.each<[string, readonly PastEvent[]]>([
    ['before the handshakes', building],
    ['between evidence and verdict', awaiting],
    ['after a failure', failed],
    ['while a pass is in doubt', inDoubt],
    ['after the activation', activated],
  ])('%s', (_when, past) => {
    const after = play(past, [sendsBack]);
    const { phase, manifest_id, scenarios, handshakes, authorizations, certification, defects } = board(after);
    expect([phase, manifest_id, scenarios]).toEqual(['CONTRACT', null, []]);
    expect(handshakes).toEqual({ agent_a: null, agent_b: null });
    expect(authorizations).toEqual({
      build_authorized: false,
      deployment_authorized: false,
      activation_authorized: false,
    });
    expect(certification.certified).toBe(false);
    for (const { status } of defects) expect(status).toBe('SUPERSEDED');
    for (const by of ['agent_a', 'agent_b'] as const) {
      expect(next(after, by)).toEqual(by === 'agent_a' ? ['submit_contract -'] : []);
      const { actions } = given(after).when('poll_actions', {}, by).reply();
      expect(actions.filter(({ type }) => type === 'FIX_DEFECT' || type === 'DECLARE_HANDSHAKE')).toEqual([]);
      given(after)
        .when('verify_start_attempt', { scenario_id: 'test-reserve' }, by)
        .thenFails('WRONG_PHASE', { phase: 'CONTRACT', allowed_phases: ['VERIFY', 'RELEASE'] });
    }
  });

  test('supersede a defect that is open or fixed, but not a closed one', () => {
    const fixed = play(failed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
    ]);
    const waived = play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]]);
    const closed = play(fixed, runOf('test-reserve', 'agent_a', 2));
    expect([failed, fixed, waived, closed].map((past) => board(play(past, [sendsBack])).defects[0]?.status)).toEqual([
      'SUPERSEDED',
      'SUPERSEDED',
      'WAIVED',
      'CLOSED',
    ]);
    for (const name of ['waiveDefect', 'reassignDefect'] as const) {
      const input = { defect_id: 'def_1', ...(name === 'waiveDefect' ? { reason: 'Rare.' } : { role: 'agent_a' }) };
      given(play(failed, [sendsBack]))
        .when(name, input as never, 'owner')
        .thenFails('DEFECT_CLOSED', { status: 'SUPERSEDED' });
    }
  });

  test('keep only the numbers of the earlier board for the next manifest', () => {
    const again = approvedAgain(play(failed, [sendsBack]));
    expect(board(again)).toMatchObject({ phase: 'VERIFY', manifest_id: 'm_2', revision_id: 'r_2' });
    expect(statuses(again)).toEqual(['test-reserve READY', 'test-expiry WAITING']);
    expect(board(again).scenarios[0]?.attempts).toEqual([]);
    expect(board(again).handshakes).toEqual({ agent_a: null, agent_b: null });
    const both = play(again, [handshake('agent_a'), handshake('agent_b')]);
    expect(next(both, 'agent_a')).toEqual(['verify_start_attempt test-reserve']);
    const failedAgain = play(both, runOf('test-reserve', 'agent_a', 2, 'FAIL'));
    expect(board(failedAgain).scenarios[0]?.attempts).toMatchObject([{ attempt: 2, status: 'FAILED' }]);
    expect(board(failedAgain).defects).toMatchObject([
      { defect_id: 'def_1', status: 'SUPERSEDED', attempt: 1 },
      { defect_id: 'def_2', status: 'OPEN', attempt: 2 },
    ]);
  });

  test('abort open attempts for good', () => {
    const again = play(approvedAgain(play(awaiting, [sendsBack])), [handshake('agent_a'), handshake('agent_b')]);
    const late = { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS' as const };
    given(again).when('verify_verify', late, 'agent_b').thenFails('ATTEMPT_CLOSED', { status: 'ABORTED' });
    const passed = play(approvedAgain(play(firstPassed, [sendsBack])), [handshake('agent_a'), handshake('agent_b')]);
    given(passed).when('verify_verify', late, 'agent_b').thenFails('ATTEMPT_CLOSED', { status: 'PASSED' });
    const [start] = runOf('test-reserve', 'agent_a', 2);
    expect(start && play(again, [start]).at(-1)).toMatchObject({ kind: 'attempt.started', data: { attempt: 2 } });
  });
});
