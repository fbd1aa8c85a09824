import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { attempt, building, COMMITS, declared, failed, firstPassed, handshake, play } from '../story.ts';
import { NEW_COMMIT, statuses } from './builds.ts';

const start = (past: readonly PastEvent[], scenario_id = 'test-reserve', by: 'agent_a' | 'agent_b' = 'agent_a') =>
  given(past).when('verify_start_attempt', { scenario_id }, by);
const open = play(declared, [attempt('agent_a', 'test-reserve')]);
const started = (number: number, commits = COMMITS): PastEvent => ({
  kind: 'attempt.started',
  actor: 'agent_a',
  data: { scenario_id: 'test-reserve', attempt: number, commits },
});

describe('verify_start_attempt', () => {
  test('opens the first attempt on both declared commits', () => {
    start(declared)
      .thenEvents(started(1))
      .thenReply({
        scenario_id: 'test-reserve',
        attempt: 1,
        status: 'OPEN',
        started_by: 'agent_a',
        commits: COMMITS,
        evaluation: {
          met: false,
          request_id: null,
          missing: ['agent_a: 1 more item', 'agent_b: 1 more item'],
          failing: [],
        },
      });
  });

  test('names the address of the other service, if it was declared, as verify_next does', () => {
    const reached = play(declared, [handshake('agent_b', { address: 'http://127.0.0.1:4801' })]);
    const next = (past: readonly PastEvent[], by: 'agent_a' | 'agent_b') =>
      given(past)
        .when('verify_next', {}, by)
        .reply()
        .items.map(({ tool, other_address }) => [tool, other_address]);
    expect(next(reached, 'agent_a')).toEqual([['verify_start_attempt', 'http://127.0.0.1:4801']]);
    expect(next(declared, 'agent_a')).toEqual([['verify_start_attempt', undefined]]);
    expect(start(reached).reply().other_address).toBe('http://127.0.0.1:4801');
    expect(next(play(reached, [attempt('agent_a', 'test-reserve')]), 'agent_a')).toEqual([
      ['verify_submit_evidence', 'http://127.0.0.1:4801'],
    ]);
  });

  test('returns the open attempt when it is called again, whatever was stored since', () => {
    const unready = play(open, [handshake('agent_b', { ready: false })]);
    expect(start(unready).thenEvents().reply()).toMatchObject({ attempt: 1, started_by: 'agent_a' });
  });

  test('can be called only by the executor', () => {
    start(declared, 'test-reserve', 'agent_b').thenFails('NOT_ASSIGNED', { executor: 'agent_a' });
    start(open, 'test-reserve', 'agent_b').thenFails('NOT_ASSIGNED', { executor: 'agent_a' });
  });

  test('refuses a test that the approved contract does not contain', () => {
    start(declared, 'test-9').thenFails('UNKNOWN_RECORD', { record: { type: 'scenario', id: 'test-9' } });
  });

  test.each<[string, readonly PastEvent[], string[]]>([
    ['nobody', building, ['agent_a', 'agent_b']],
    ['agent_a alone', play(building, [handshake('agent_a')]), ['agent_b']],
    ['agent_b alone', play(building, [handshake('agent_b')]), ['agent_a']],
  ])('names who is missing when %s has declared a commit', (_who, past, missing) => {
    start(past).thenFails('HANDSHAKE_INCOMPLETE', { missing });
  });

  test('is refused until an open defect is fixed, waived or superseded', () => {
    start(failed).thenFails('DEFECT_OPEN', { defect_id: 'def_1', assigned_to: 'agent_b' });
    start(play(failed, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]])).thenEvents(started(2));
    const fixed = play(failed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
    ]);
    start(fixed).thenEvents(started(2, { agent_a: COMMITS.agent_a, agent_b: NEW_COMMIT }));
  });

  test.each([
    ['a side that is not ready', [handshake('agent_b', { ready: false })]],
    ['a side that is unhealthy', [handshake('agent_a', { dependencies_healthy: false })]],
    ['another fixture', [handshake('agent_b', { fixture_version: '2' })]],
  ])('is not refused for %s: only a PASS is', (_what, calls) => {
    start(play(declared, calls)).thenEvents(started(1));
  });

  test('is refused until every dependency has passed', () => {
    start(declared, 'test-expiry', 'agent_b').thenFails('DEPENDENCY_NOT_PASSED', { waits_for: ['test-reserve'] });
    start(open, 'test-expiry', 'agent_b').thenFails('DEPENDENCY_NOT_PASSED', { waits_for: ['test-reserve'] });
    start(failed, 'test-expiry', 'agent_b').thenFails('DEPENDENCY_NOT_PASSED', { waits_for: ['test-reserve'] });
    expect(start(firstPassed, 'test-expiry', 'agent_b').reply()).toMatchObject({ attempt: 1, status: 'OPEN' });
  });

  test('returns the attempt that was open before its dependency came into doubt', () => {
    const both = play(firstPassed, [attempt('agent_b', 'test-expiry'), attempt('agent_a', 'test-reserve')]);
    expect(start(both, 'test-expiry', 'agent_b').thenEvents().reply()).toMatchObject({ attempt: 1, status: 'OPEN' });
  });

  test('runs a scenario that has passed once more, which puts the pass in doubt', () => {
    start(firstPassed).thenEvents(started(2));
    const again = play(firstPassed, [attempt('agent_a', 'test-reserve')]);
    expect(statuses(again)).toEqual(['test-reserve OPEN', 'test-expiry WAITING']);
  });
});
