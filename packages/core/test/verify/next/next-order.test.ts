import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { attempt, awaiting, declared, evidence, failed, handshake, play } from '../../story.ts';
import { buildOf, declaredOf, items, NEW_COMMIT, next, runOf, testsWith, WIDE } from '../builds.ts';

const open = play(declared, [attempt('agent_a', 'test-reserve')]);
const fix = (by: 'agent_a' | 'agent_b') => [by, 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }] as const;

describe('the order of verify_next', () => {
  const wide = declaredOf({ tests: WIDE });
  const waits = ['test-lone', 'test-reserve'].map((id) => `verify_start_attempt ${id}`);

  test('leaves out a scenario that waits for another', () => {
    expect(next(wide, 'agent_a')).toEqual(waits);
    expect(items(wide, 'agent_a').map(({ priority }) => priority)).toEqual([1, 2]);
  });

  test('has the rerun first, then the scenarios that depend on it, then stale, then new scenarios', () => {
    const passed = play(wide, [
      ...runOf('test-lone', 'agent_a'),
      ...runOf('test-reserve', 'agent_a'),
      ...runOf('test-expiry', 'agent_a'),
      ...runOf('test-reserve', 'agent_a', 2, 'FAIL'),
    ]);
    expect(next(passed, 'agent_a')).toEqual([]);
    const mended = play(passed, [handshake('agent_b', { commit: NEW_COMMIT }), fix('agent_b')]);
    expect(next(mended, 'agent_a')).toEqual(['verify_start_attempt test-reserve', 'verify_start_attempt test-lone']);
    const rerun = play(mended, runOf('test-reserve', 'agent_a', 3));
    expect(next(rerun, 'agent_a')).toEqual([
      'verify_start_attempt test-expiry',
      'verify_start_attempt test-after',
      'verify_start_attempt test-lone',
    ]);
  });

  test('keeps a stale scenario back while the fix of a defect will change the commit again, and says so elsewhere', () => {
    const past = play(wide, [
      ...runOf('test-lone', 'agent_a'),
      handshake('agent_a', { commit: NEW_COMMIT }),
      ...runOf('test-reserve', 'agent_a', 1, 'FAIL'),
    ]);
    expect(next(past, 'agent_a')).toEqual([]);
    expect(given(past).when('read_session_state', {}, 'agent_a').reply().instruction.text).toBe(
      'Wait. The next call is that of agent_b: verify_handshake, for defect def_1.',
    );
    const lone = play(wide, runOf('test-reserve', 'agent_a', 1, 'FAIL'));
    expect(items(lone, 'agent_a')).toMatchObject([
      {
        tool: 'verify_start_attempt',
        scenario_id: 'test-lone',
        reason:
          'Scenario test-lone is ready: start it with verify_start_attempt, with what you saw in evidence if you have run it. Defect def_1 is open: the commit that fixes it makes a pass stale.',
      },
    ]);
    const declared = play(past, [handshake('agent_b', { commit: 'd'.repeat(40) })]);
    expect(next(declared, 'agent_a')).toEqual(['verify_start_attempt test-lone']);
  });

  test('has stale scenarios before new ones', () => {
    const past = play(wide, [...runOf('test-reserve', 'agent_a'), handshake('agent_b', { commit: NEW_COMMIT })]);
    expect(items(past, 'agent_a').map(({ reason }) => reason)).toEqual([
      'Scenario test-reserve passed on commits that are no longer declared: run it again with verify_start_attempt. One call takes up to 20 due starts, all but the first in others.',
      'Scenario test-lone is ready: start it with verify_start_attempt, with what you saw in evidence if you have run it. One call takes up to 20 due starts, all but the first in others.',
    ]);
  });

  test('has handshake, fix, verdict, evidence and start in this order', () => {
    const tests = WIDE.map((each) => (each.id === 'test-lone' ? { ...each, executor: 'agent_b' as const } : each));
    const both = play(declaredOf({ tests: [...tests, ...more()] }), [
      ...runOf('test-reserve', 'agent_a', 1, 'FAIL'),
      ['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }],
      handshake('agent_a', { commit: NEW_COMMIT }),
      attempt('agent_b', 'test-lone'),
      evidence('agent_b', 'test-lone'),
      evidence('agent_a', 'test-lone'),
      attempt('agent_a', 'test-more'),
    ]);
    expect(next(both, 'agent_a')).toEqual([
      'verify_submit_fix test-reserve',
      'verify_verify test-lone',
      'verify_submit_evidence test-more',
      'verify_start_attempt test-most',
    ]);
    const unready = play(both, [handshake('agent_a', { commit: NEW_COMMIT, ready: false })]);
    expect(next(unready, 'agent_a')).toEqual(['verify_handshake -', 'verify_submit_fix test-reserve']);
  });

  function more() {
    return WIDE.slice(0, 1).flatMap((each) => [
      { ...each, id: 'test-more' },
      { ...each, id: 'test-most' },
    ]);
  }
});

describe('what keeps a scenario out of verify_next', () => {
  const half = play(open, [evidence('agent_a', 'test-reserve')]);
  const BOTH = ['agent_a', 'agent_b'] as const;

  test.each([
    ['not ready', { ready: false }],
    ['unhealthy', { dependencies_healthy: false }],
    ['on another fixture', { fixture_version: '2' }],
  ])('a side that is %s, whatever the scenario waits for', (_what, said) => {
    for (const past of [declared, open, half, awaiting])
      for (const by of BOTH) {
        const other = by === 'agent_a' ? 'agent_b' : 'agent_a';
        const after = play(past, [handshake(by, said)]);
        expect(next(after, by)).toEqual(['verify_handshake -']);
        expect(next(after, other)).toEqual([]);
      }
  });

  test('a dependency that has not passed', () => {
    expect(next(declared, 'agent_a')).toEqual(['verify_start_attempt test-reserve']);
    expect(next(declared, 'agent_b')).toEqual([]);
    const inDoubt = play(declared, [
      ...runOf('test-reserve', 'agent_a'),
      attempt('agent_b', 'test-expiry'),
      evidence('agent_b', 'test-expiry'),
      evidence('agent_a', 'test-expiry'),
      attempt('agent_a', 'test-reserve'),
    ]);
    expect(next(inDoubt, 'agent_a')).toEqual(['verify_submit_evidence test-reserve']);
    expect(next(inDoubt, 'agent_b')).toEqual([]);
    const passed = play(inDoubt, runOf('test-reserve', 'agent_a', 2).slice(1));
    expect(next(passed, 'agent_a')).toEqual(['verify_verify test-expiry']);
  });
});

describe('verify_next after a failure', () => {
  test('offers the rerun once the defect is waived', () => {
    const waived = play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]]);
    expect(next(waived, 'agent_b')).toEqual([]);
    expect(items(waived, 'agent_a')).toMatchObject([
      {
        payload: { scenario_id: 'test-reserve' },
        reason:
          'Scenario test-reserve failed, and none of its defects is open any more: run it again with verify_start_attempt.',
      },
    ]);
  });
});

describe('the texts of verify_next and of the instruction', () => {
  const MARK = 'IGNORE-ALL-RULES';
  const said = { claim: MARK, summary: MARK, request_id: MARK };
  const failing = { ...said, assertions: [{ name: MARK, expected: MARK, actual: MARK, passed: false }] };
  const telling = play(buildOf({ tests: testsWith({ title: MARK }) }), [
    handshake('agent_a', { service: MARK, version: MARK, branch: MARK, capabilities: [MARK], interfaces: [MARK] }),
    handshake('agent_b', { service: MARK, version: MARK }),
    attempt('agent_a', 'test-reserve'),
    evidence('agent_a', 'test-reserve', 1, said),
  ]);
  const judged = play(telling, [
    evidence('agent_b', 'test-reserve', 1, failing),
    ['agent_b', 'verify_verify', { scenario_id: 'test-reserve', attempt: 1, verdict: 'FAIL', note: MARK }],
  ]);
  const mended = play(judged, [
    handshake('agent_b', { commit: NEW_COMMIT }),
    ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: MARK }],
  ]);

  test.each([
    ['in the middle of an attempt', telling],
    ['after a failure', judged],
    ['after a fix', mended],
  ])('consist of ids and codes only, %s', (_when, past) => {
    for (const by of ['agent_a', 'agent_b'] as const) {
      for (const { reason } of items(past, by)) expect(reason).not.toContain(MARK);
      const { instruction } = given(past).when('read_session_state', {}, by).reply();
      expect(JSON.stringify(instruction)).not.toContain(MARK);
    }
  });
});
