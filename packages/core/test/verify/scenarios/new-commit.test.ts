import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { awaiting, deployed, failed, firstPassed, handshake, play, releasable } from '../../story.ts';
import { board, NEW_COMMIT, statuses } from '../builds.ts';
import { events, INPUT } from '../handshakes.ts';

describe('a new commit', () => {
  test('in RELEASE takes the session back to VERIFY', () => {
    expect(events({ commit: NEW_COMMIT }, deployed)).toEqual([
      {
        kind: 'handshake.declared',
        actor: 'agent_b',
        data: {
          ...INPUT,
          commit: NEW_COMMIT,
          commit_changed: true,
          previous_commit: 'b'.repeat(40),
          stale_scenarios: ['test-reserve', 'test-expiry'],
        },
      },
      { kind: 'phase.changed', actor: 'system', data: { from: 'RELEASE', to: 'VERIFY' } },
    ]);
    expect(events({ ready: false }, deployed).map(({ kind }) => kind)).toEqual(['handshake.declared']);
  });

  test('names in its one event the passes that it makes stale, and only those', () => {
    const changes = (past: Parameters<typeof play>[0], commit = NEW_COMMIT) =>
      events({ commit }, past).map(({ kind, data }) => [kind, Object(data).stale_scenarios]);
    expect(changes(releasable)).toEqual([['handshake.declared', ['test-reserve', 'test-expiry']]]);
    expect(changes(firstPassed)).toEqual([['handshake.declared', ['test-reserve']]]);
    expect(changes(awaiting)).toEqual([['handshake.declared', undefined]]);
    const stale = play(releasable, [handshake('agent_b', { commit: NEW_COMMIT })]);
    expect(changes(stale, 'd'.repeat(40))).toEqual([['handshake.declared', undefined]]);
    expect(changes(releasable, 'B'.repeat(40))).toEqual([]);
  });

  test('is one message in the feed of the other agent', () => {
    const after = play(releasable, [handshake('agent_b', { commit: NEW_COMMIT })]);
    const read = given(after).when('read_messages', { after: releasable.length }, 'agent_a').reply();
    const about = JSON.stringify(read).match(/"stale_scenarios":\[[^\]]*\]/g);
    expect(about).toEqual(['"stale_scenarios":["test-reserve","test-expiry"]']);
  });

  test('does not change an open defect', () => {
    const past = play(failed, [handshake('agent_a', { commit: NEW_COMMIT })]);
    expect(board(past).defects).toMatchObject([{ defect_id: 'def_1', status: 'OPEN', assigned_to: 'agent_b' }]);
    expect(statuses(past)[0]).toBe('test-reserve FAILED');
  });

  test('that is the failed commit opens the defect again, and requires another fix', () => {
    const fixed = play(failed, [
      handshake('agent_b', { commit: NEW_COMMIT }),
      ['agent_b', 'verify_submit_fix', { defect_id: 'def_1', note: 'Locks.' }],
    ]);
    expect(board(fixed).defects).toMatchObject([{ status: 'FIXED', fix: { note: 'Locks.', commit: NEW_COMMIT } }]);
    const other = play(fixed, [handshake('agent_b', { commit: 'd'.repeat(40) })]);
    expect(board(other).defects).toMatchObject([{ status: 'FIXED' }]);
    const back = play(fixed, [handshake('agent_b')]);
    expect(board(back).defects).toMatchObject([{ status: 'OPEN', fix: { commit: NEW_COMMIT } }]);
    given(back)
      .when('verify_start_attempt', { scenario_id: 'test-reserve' }, 'agent_a')
      .thenFails('DEFECT_OPEN', { defect_id: 'def_1', assigned_to: 'agent_b' });
    expect(given(back).when('poll_actions', {}, 'agent_b').reply().actions).toMatchObject([{ type: 'FIX_DEFECT' }]);
  });
});
