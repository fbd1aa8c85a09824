import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { COMMITS, declared, failed, handshake, play } from '../story.ts';
import { NEW_COMMIT, runOf } from './builds.ts';

const redeclared = play(failed, [handshake('agent_b', { commit: NEW_COMMIT })]);
const fix = (past: readonly PastEvent[] = redeclared, by: 'agent_a' | 'agent_b' = 'agent_b', defect_id = 'def_1') =>
  given(past).when('verify_submit_fix', { defect_id, note: 'Locks the row.' }, by);
const fixed = (commit = NEW_COMMIT): PastEvent => ({
  kind: 'defect.fixed',
  actor: 'agent_b',
  data: { defect_id: 'def_1', scenario_id: 'test-reserve', note: 'Locks the row.', commit },
});
const mended = [...redeclared, fixed()];

describe('verify_submit_fix', () => {
  test('marks the defect fixed on the new commit, and ends the action', () => {
    const [first, ...rest] = fix().events();
    expect(first).toEqual(fixed());
    expect(rest.map(({ kind }) => kind)).toEqual(['action.fulfilled']);
    expect(fix().reply().defect).toEqual({
      defect_id: 'def_1',
      scenario_id: 'test-reserve',
      attempt: 1,
      status: 'FIXED',
      assigned_to: 'agent_b',
      commits: COMMITS,
      fix: { note: 'Locks the row.', commit: NEW_COMMIT, fixed_at: '2026-01-05T09:01:00.000Z' },
      waiver_reason: null,
      opened_at: '2026-01-05T09:00:00.000Z',
    });
  });

  test('stores nothing if the defect is fixed already', () => {
    expect(fix(mended).thenEvents().reply().defect.status).toBe('FIXED');
  });

  test('keeps another note, on the commit of now, of a defect that is fixed already', () => {
    const later = play(mended, [handshake('agent_b', { commit: 'e'.repeat(40) })]);
    const input = { defect_id: 'def_1', note: 'Locks the table as well.' };
    const changed = given(later).when('verify_submit_fix', input, 'agent_b');
    expect(changed.events()[0]).toEqual({ ...fixed(), data: { ...fixed('e'.repeat(40)).data, note: input.note } });
    expect(changed.reply().defect).toMatchObject({
      status: 'FIXED',
      fix: { note: 'Locks the table as well.', commit: 'e'.repeat(40) },
    });
    given(play(later, [['agent_b', 'verify_submit_fix', input]]))
      .when('verify_submit_fix', input, 'agent_b')
      .thenEvents();
  });

  test('can be called only by the assignee', () => {
    fix(redeclared, 'agent_a').thenFails('NOT_ASSIGNEE', { assigned_to: 'agent_b' });
    const moved = play(redeclared, [['owner', 'reassignDefect', { defect_id: 'def_1', role: 'agent_a' }]]);
    fix(moved).thenFails('NOT_ASSIGNEE', { assigned_to: 'agent_a' });
    fix(moved, 'agent_a').thenFails('NEW_COMMIT_REQUIRED', { failed_commit: COMMITS.agent_a });
    fix(play(moved, [handshake('agent_a', { commit: 'd'.repeat(40) })]), 'agent_a').reply();
  });

  test('refuses an unknown defect', () => {
    fix(redeclared, 'agent_b', 'def_2').thenFails('UNKNOWN_RECORD', { record: { type: 'defect', id: 'def_2' } });
  });

  test.each<[string, readonly PastEvent[]]>([
    ['none', failed],
    ['the one that failed', play(failed, [handshake('agent_b', { version: '1.0.1' })])],
    ['a prefix of the one that failed', play(failed, [handshake('agent_b', { commit: 'bbbbbbb' })])],
    ['another one, and then again the one that failed', play(redeclared, [handshake('agent_b')])],
    ['the new commit of the other side alone', play(failed, [handshake('agent_a', { commit: NEW_COMMIT })])],
  ])('needs a new commit: %s is declared since', (_what, past) => {
    fix(past).thenFails('NEW_COMMIT_REQUIRED', { failed_commit: COMMITS.agent_b });
  });

  test('needs a new commit after each failure', () => {
    const again = play(mended, runOf('test-reserve', 'agent_a', 2, 'FAIL'));
    fix(again).thenFails('NEW_COMMIT_REQUIRED', { failed_commit: NEW_COMMIT });
    const back = play(again, [handshake('agent_b')]);
    expect(fix(back).events()[0]).toEqual(fixed(COMMITS.agent_b));
  });

  test.each<[string, readonly PastEvent[]]>([
    ['CLOSED', play(mended, runOf('test-reserve', 'agent_a', 2))],
    ['WAIVED', play(redeclared, [['owner', 'waiveDefect', { defect_id: 'def_1', reason: 'Rare.' }]])],
  ])('refuses a defect that is %s', (status, past) => {
    fix(past).thenFails('DEFECT_CLOSED', { status });
  });

  test('refuses a defect id before there is a defect', () => {
    fix(declared).thenFails('UNKNOWN_RECORD', { record: { type: 'defect', id: 'def_1' } });
  });
});
