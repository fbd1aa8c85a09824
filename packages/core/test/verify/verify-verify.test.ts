import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { attempt, awaiting, COMMITS, declared, evidence, failed, firstPassed, handshake, play } from '../story.ts';
import { board, declaredOf, NEW_COMMIT, runOf, statuses, testsWith } from './builds.ts';

const open = play(declared, [attempt('agent_a', 'test-reserve')]);
const judge = (verdict: 'PASS' | 'FAIL', past: readonly PastEvent[] = awaiting, changes: object = {}) =>
  given(past).when('verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict, ...changes }, 'agent_b');
const gave = (verdict: 'PASS' | 'FAIL', number = 1): PastEvent => ({
  kind: 'verdict.given',
  actor: 'agent_b',
  data: { scenario_id: 'test-reserve', attempt: number, verdict },
});
/** The events of a verdict, except events about actions. */
const events = (verdict: 'PASS' | 'FAIL', past: readonly PastEvent[], changes: object = {}) =>
  judge(verdict, past, changes)
    .events()
    .filter(({ kind }) => !kind.startsWith('action.'));
const fixed = play(failed, [
  handshake('agent_b', { commit: NEW_COMMIT }),
  ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
]);
const [starts, first, second] = runOf('test-reserve', 'agent_a', 2);
const rerun = play(
  fixed,
  [starts, first, second].flatMap((call) => (call ? [call] : [])),
);

describe('verify_verify', () => {
  test('passes an attempt whose policy is met', () => {
    judge('PASS')
      .thenEvents(gave('PASS'))
      .thenReply({ scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS', status: 'PASSED', defects: [] });
  });

  test('keeps the note', () => {
    const past = play(awaiting, [
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS', note: 'Seen twice.' }],
    ]);
    const asked = { scenario_id: 'test-reserve' };
    const { scenarios } = given(past).when('verify_board', asked, 'agent_a').reply();
    expect(scenarios[0]?.attempts[0]?.verdict).toEqual({
      by: 'agent_b',
      verdict: 'PASS',
      note: 'Seen twice.',
      given_at: '2026-01-05T09:00:00.000Z',
    });
  });

  test('keeps the deviations of a pass for the board and names the pass to the owner', () => {
    const deviations = ['The second run took 3 s.', 'The log has no trace id.'];
    const given_ = judge('PASS', awaiting, { deviations }).thenEvents({
      kind: 'verdict.given',
      actor: 'agent_b',
      data: { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS', deviations },
    });
    expect(given_.reply().status).toBe('PASSED');
    const past = play(awaiting, [
      ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'PASS', deviations }],
      ...runOf('test-expiry', 'agent_b'),
    ]);
    for (const role of ['agent_a', 'moderator'] as const) {
      const { scenarios } = given(past).when('verify_board', {}, role).reply();
      expect(scenarios.map(({ attempts }) => attempts.at(-1)?.verdict?.deviations)).toEqual([deviations, undefined]);
    }
    const owners = given(past).when('board', { format: 'both' }, 'owner').reply();
    expect(owners.scenarios[0]?.attempts[0]?.verdict).toMatchObject({ deviations });
    expect(owners.markdown).toContain('## Deviations of passed scenarios');
    expect(owners.markdown).toContain('| `test-reserve` | The log has no trace id. |');
    expect(given(past).when('view', {}, 'owner').reply().waits).toMatchObject([
      {
        kind: 'DEPLOYMENT',
        text: 'Every certification check holds, with deviations in test-reserve/1: read them on the board, then authorize the deployment or request changes. The moderator has not given its advice yet; you can authorize without it.',
      },
    ]);
  });

  test('accepts deviations with a PASS only', () => {
    const refusal = judge('FAIL', awaiting, { deviations: ['Slow.'] }).refusal();
    expect(refusal).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: 'deviations' }] });
    expect(judge('PASS', awaiting, { deviations: [] }).refusal()).toMatchObject({ error: 'INVALID_INPUT' });
  });

  test('opens a defect on a failure, for the responsible builder', () => {
    expect(events('FAIL', awaiting)).toEqual([
      gave('FAIL'),
      {
        kind: 'defect.opened',
        actor: 'system',
        data: { defect_id: 'def_1', scenario_id: 'test-reserve', attempt: 1, assigned_to: 'agent_b', commits: COMMITS },
      },
    ]);
    expect(judge('FAIL').reply()).toMatchObject({
      status: 'FAILED',
      defects: [{ defect_id: 'def_1', status: 'OPEN', assigned_to: 'agent_b', commits: COMMITS, fix: null }],
    });
  });

  test.each([
    ['the one that the test names', { responsible: 'agent_a' as const }, 'agent_a'],
    ['the provider of its first interface', {}, 'agent_b'],
    ['its executor where it has no interface', { interfaces: [] }, 'agent_a'],
  ])('assigns the defect to %s', (_whom, changes, assigned_to) => {
    const past = play(declaredOf({ tests: testsWith(changes) }), [attempt('agent_a', 'test-reserve')]);
    expect(judge('FAIL', past).reply().defects).toMatchObject([{ assigned_to }]);
  });

  test('accepts FAIL without evidence, and whatever the handshakes declare', () => {
    judge('FAIL', open).reply();
    judge('FAIL', play(open, [handshake('agent_a', { ready: false, fixture_version: '2' })])).reply();
  });

  test('refuses the agent that started the attempt', () => {
    for (const verdict of ['PASS', 'FAIL'] as const)
      given(awaiting)
        .when('verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict }, 'agent_a')
        .thenFails('SELF_VERIFICATION', {});
  });

  test.each<[string, readonly PastEvent[]]>([
    ['PASSED', firstPassed],
    ['FAILED', failed],
    ['ABORTED', play(awaiting, [handshake('agent_b', { commit: NEW_COMMIT })])],
  ])('refuses an attempt that is %s', (status, past) => {
    judge('PASS', past).thenFails('ATTEMPT_CLOSED', { status });
    judge('FAIL', past).thenFails('ATTEMPT_CLOSED', { status });
  });

  test('refuses an unknown id', () => {
    judge('PASS', awaiting, { scenario_id: 'test-9' }).thenFails('UNKNOWN_RECORD', {
      record: { type: 'scenario', id: 'test-9' },
    });
    judge('PASS', awaiting, { attempt: 2 }).thenFails('UNKNOWN_RECORD', {
      record: { type: 'attempt', id: 'test-reserve/2' },
    });
    judge('PASS', awaiting, { verdict: 'MAYBE' }).thenFails('INVALID_INPUT');
  });
});

describe('a PASS', () => {
  test.each<[string, readonly PastEvent[], string[]]>([
    ['nothing', open, ['agent_a: 1 more item', 'agent_b: 1 more item']],
    ['agent_a alone', play(open, [evidence('agent_a', 'test-reserve')]), ['agent_b: 1 more item']],
    ['agent_b alone', play(open, [evidence('agent_b', 'test-reserve')]), ['agent_a: 1 more item']],
  ])('is refused on evidence of %s', (_what, past, missing) => {
    judge('PASS', past).thenFails('EVIDENCE_POLICY_UNMET', { missing, failing: [] });
  });

  test('is refused on a failed assertion, until a clean run is shown', () => {
    const assertions = [{ name: 'count', expected: 2, actual: 1, passed: false }];
    const past = play(open, [
      evidence('agent_a', 'test-reserve', 1, { assertions }),
      evidence('agent_b', 'test-reserve'),
    ]);
    judge('PASS', past).thenFails('EVIDENCE_POLICY_UNMET', {
      missing: [],
      failing: ['agent_a: an assertion failed in message #59'],
    });
    const repeated = play(past, [
      evidence('agent_a', 'test-reserve', 1, { request_id: 'req-2' }),
      evidence('agent_b', 'test-reserve', 1, { request_id: 'req-2' }),
    ]);
    judge('PASS', repeated).thenEvents(gave('PASS'));
  });

  test.each([
    [{ ready: false }, 'HANDSHAKE_NOT_READY' as const, { not_ready: ['agent_a'] }],
    [{ dependencies_healthy: false }, 'HANDSHAKE_NOT_READY' as const, { not_ready: ['agent_a'] }],
    [{ fixture_version: '2' }, 'FIXTURE_MISMATCH' as const, { fixture_version: '1', declared_by: ['agent_a'] }],
  ])('is refused while a handshake says %j', (said, code, details) => {
    const past = play(awaiting, [handshake('agent_a', said)]);
    judge('PASS', past).thenFails(code, details);
    judge('PASS', play(past, [handshake('agent_a', { fixture_version: '1' })])).thenEvents(gave('PASS'));
  });

  test('is refused while a dependency has not passed', () => {
    const reserved = play(declared, [
      ...runOf('test-reserve', 'agent_a'),
      ...runOf('test-expiry', 'agent_b').slice(0, 3),
    ]);
    const judged = (past: readonly PastEvent[]) =>
      given(past).when('verify_verify', { scenario_id: 'test-expiry', attempt: 1, verdict: 'PASS' }, 'agent_a');
    expect(judged(reserved).reply()).toMatchObject({ status: 'PASSED' });
    const inDoubt = play(reserved, [attempt('agent_a', 'test-reserve')]);
    judged(inDoubt).thenFails('DEPENDENCY_NOT_PASSED', { waits_for: ['test-reserve'] });
    const again = play(inDoubt, runOf('test-reserve', 'agent_a', 2).slice(1));
    expect(judged(again).reply()).toMatchObject({ status: 'PASSED' });
  });
});

describe('the verdict on a rerun', () => {
  test('closes the defects of the scenario when it passes', () => {
    expect(events('PASS', rerun, { attempt: 2 })).toEqual([
      gave('PASS', 2),
      {
        kind: 'defect.closed',
        actor: 'system',
        data: { defect_id: 'def_1', scenario_id: 'test-reserve', attempt: 2 },
      },
    ]);
    expect(judge('PASS', rerun, { attempt: 2 }).reply()).toMatchObject({
      status: 'PASSED',
      defects: [{ defect_id: 'def_1', status: 'CLOSED', fix: { note: 'Locks.', commit: NEW_COMMIT } }],
    });
  });

  test('opens the same defect again when it fails', () => {
    const commits = { agent_a: COMMITS.agent_a, agent_b: NEW_COMMIT };
    expect(events('FAIL', rerun, { attempt: 2 })).toEqual([
      gave('FAIL', 2),
      {
        kind: 'defect.reopened',
        actor: 'system',
        data: { defect_id: 'def_1', scenario_id: 'test-reserve', attempt: 2, commits },
      },
    ]);
    expect(judge('FAIL', rerun, { attempt: 2 }).reply().defects).toMatchObject([
      { defect_id: 'def_1', status: 'OPEN', attempt: 2, commits },
    ]);
  });

  test('leaves a waived defect waived and opens another when it fails', () => {
    const waived = play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]]);
    const again = play(waived, runOf('test-reserve', 'agent_a', 2, 'FAIL'));
    expect(board(again).defects).toMatchObject([
      { defect_id: 'def_1', status: 'WAIVED', waiver_reason: 'Rare.' },
      { defect_id: 'def_2', status: 'OPEN' },
    ]);
    const passed = play(waived, runOf('test-reserve', 'agent_a', 2));
    expect(board(passed).defects).toMatchObject([{ defect_id: 'def_1', status: 'WAIVED' }]);
    expect(statuses(passed)[0]).toBe('test-reserve PASSED');
  });
});
