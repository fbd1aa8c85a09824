import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { handshake, play } from '../../story.ts';
import { A_COMMIT, B_COMMIT, board, NEW_COMMIT, runOf, statuses } from '../../verify/builds.ts';
import { carriedByOwner, passCarried, passedWith, REASON, redeclared, staleOf } from '../../verify/carries.ts';

const LATER = 'd'.repeat(40);
const input = { scenario_id: 'test-reserve', reason: REASON };
const stale = staleOf('owner');
const carry = (past: readonly PastEvent[], changes: object = {}) =>
  given(past).when('carryPass', { ...input, ...changes }, 'owner');
const both = [carriedByOwner(), carriedByOwner('test-expiry')];
const carriedOf = (past: readonly PastEvent[]) =>
  board(past).scenarios.find(({ scenario_id }) => scenario_id === 'test-reserve')?.carried;

describe('carryPass', () => {
  describeOwner('carryPass', { past: stale, input, statuses: ['ACTIVE', 'PAUSED'] });

  test('carries the pass of one scenario over to the declared commits, with the reason and who declared the paths', () => {
    carry(stale).thenEvents(passCarried('owner'));
    expect(carry(stale).reply()).toMatchObject({
      scenario_id: 'test-reserve',
      attempt: 1,
      carried: { by: 'owner', reason: REASON },
    });
    expect(statuses(play(stale, [carriedByOwner()]))).toEqual(['test-reserve PASSED', 'test-expiry STALE']);
  });

  test('marks the pass on the board, and in the check that it meets', () => {
    const carried = play(stale, both);
    expect(carriedOf(carried)).toEqual({
      by: 'owner',
      reason: REASON,
      verified: { agent_a: A_COMMIT, agent_b: B_COMMIT },
      commits: { agent_a: NEW_COMMIT, agent_b: B_COMMIT },
      changes: [{ declared_by: 'agent_a', since: A_COMMIT, paths: 2 }],
      carried_at: expect.any(String),
    });
    const { certified, checks } = board(carried).certification;
    expect(certified).toBe(true);
    expect(checks[0]).toEqual({
      check: 'SCENARIOS_PASSED',
      ok: true,
      detail: 'All 2 scenarios have passed. Passes carried over from other commits: test-reserve/1, test-expiry/1.',
    });
  });

  test('is refused if the contract lets nobody carry passes over', () => {
    expect(carry(staleOf()).refusal()).toMatchObject({
      error: 'NOT_ASSIGNED',
      message: 'The contract lets nobody carry a pass of test-reserve over: its evidence_policy has no carry.',
    });
  });

  test('is refused if the other agent did not declare what differs from the commit of the pass', () => {
    const missing = { error: 'HANDSHAKE_INCOMPLETE', missing: ['agent_a'] };
    expect(carry(staleOf('owner', handshake('agent_a', { commit: NEW_COMMIT }))).refusal()).toMatchObject({
      ...missing,
      message: `agent_a has not declared in changes of its handshake what differs from ${A_COMMIT}, on which test-reserve/1 passed.`,
    });
    const next = redeclared({ [NEW_COMMIT]: ['README.md'] }, LATER);
    expect(carry(staleOf('owner', redeclared(), next)).refusal()).toMatchObject(missing);
  });

  test('goes across two commits if the changes since the commit of the pass are declared', () => {
    const next = redeclared({ [NEW_COMMIT]: ['README.md'], [A_COMMIT.slice(0, 8)]: ['README.md', 'b.ts'] }, LATER);
    expect(carry(staleOf('owner', redeclared(), next)).events()).toMatchObject([
      { data: { verified: { agent_a: A_COMMIT }, commits: { agent_a: LATER }, changes: [{ paths: 2 }] } },
    ]);
  });

  test('carries a pass that was carried before, and names the commits of its attempt', () => {
    const again = play(stale, [...both, redeclared({ [A_COMMIT]: ['c.md'] }, LATER)]);
    expect(statuses(again)).toEqual(['test-reserve STALE', 'test-expiry STALE']);
    expect(carriedOf(again)).toBeUndefined();
    expect(carriedOf(play(again, [carriedByOwner()]))).toMatchObject({
      verified: { agent_a: A_COMMIT, agent_b: B_COMMIT },
      commits: { agent_a: LATER, agent_b: B_COMMIT },
      changes: [{ declared_by: 'agent_a', since: A_COMMIT, paths: 1 }],
    });
  });

  test('is refused after the commit changed again since the owner read it', () => {
    const seen = stale.length;
    const { head } = given(stale).when('board', {}, 'owner').reply();
    const moved = play(stale, [redeclared({ [A_COMMIT]: ['src/pay.ts'] }, LATER)]);
    expect(moved.length).toBeGreaterThan(seen);
    expect(carry(moved, { seen: head.seq }).refusal()).toMatchObject({
      error: 'GROUNDS_CHANGED',
      changed: [{ record: { type: 'handshake', id: 'agent_a' } }],
    });
  });

  test('needs a stale pass', () => {
    expect(carry(passedWith('owner')).refusal()).toMatchObject({
      error: 'ATTEMPT_CLOSED',
      message: 'Scenario test-reserve is PASSED: only a stale pass can be carried over.',
    });
    const running = play(stale, [['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve' }]]);
    expect(carry(running).refusal()).toMatchObject({ error: 'ATTEMPT_CLOSED', status: 'OPEN' });
    expect(carry(play(stale, [carriedByOwner()])).refusal()).toMatchObject({
      error: 'ATTEMPT_CLOSED',
      status: 'PASSED',
    });
    carry(stale, { scenario_id: 'test-9' }).thenFails('UNKNOWN_RECORD', {
      record: { type: 'scenario', id: 'test-9' },
    });
  });

  test('is refused for a scenario with a defect, and for a scenario whose dependency has not passed', () => {
    const refused = play(passedWith('owner'), [
      ['owner', 'refuseStep', { stage: 'deployment', scenario_id: 'test-reserve', reason: 'Wrong.' }],
      redeclared(),
    ]);
    carry(refused).thenFails('DEFECT_OPEN', { defect_id: 'def_1', assigned_to: 'agent_b' });
    carry(stale, { scenario_id: 'test-expiry' }).thenFails('DEPENDENCY_NOT_PASSED', { waits_for: ['test-reserve'] });
  });

  test('is refused while a service is not ready', () => {
    const sick = play(stale, [redeclared(), handshake('agent_b', { ready: false })]);
    carry(sick).thenFails('HANDSHAKE_NOT_READY', { not_ready: ['agent_b'] });
  });

  test('is undone by a new verdict', () => {
    const rerun = play(stale, [...runOf('test-reserve', 'agent_a', 2)]);
    expect(carriedOf(rerun)).toBeUndefined();
  });

  test('changes the grounds of an authorization', () => {
    const { head } = given(stale).when('board', {}, 'owner').reply();
    const carried = play(stale, both);
    expect(given(carried).when('authorize', { stage: 'deployment', seen: head.seq }, 'owner').refusal()).toMatchObject({
      error: 'GROUNDS_CHANGED',
      changed: [
        { record: { type: 'scenario', id: 'test-expiry' }, now: 'PASSED, attempt 1, carried over' },
        { record: { type: 'scenario', id: 'test-reserve' }, now: 'PASSED, attempt 1, carried over' },
      ],
    });
  });

  test('waits for the owner without blocking, until the scenario runs again', () => {
    const waiting = (past: readonly PastEvent[]) =>
      given(past)
        .when('view', {}, 'owner')
        .reply()
        .waits.filter(({ kind }) => kind === 'CARRY');
    expect(waiting(stale)).toMatchObject([
      {
        wait_id: 'CARRY:test-reserve',
        operation: 'carryPass',
        payload: { scenario_id: 'test-reserve' },
        blocking: false,
        text: `test-reserve/1 is stale; agent_a declares 2 changed paths since ${A_COMMIT.slice(0, 12)}: compare them with git, then carry the pass over, or let agent_a run the scenario again.`,
      },
    ]);
    expect(waiting(play(stale, [['agent_a', 'verify_start_attempt', { scenario_id: 'test-reserve' }]]))).toEqual([]);
    expect(waiting(staleOf())).toEqual([]);
    expect(waiting(play(stale, [handshake('agent_b', { ready: false })]))).toEqual([]);
  });
});
