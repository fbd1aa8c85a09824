import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { finds, judges, recommends, stopped } from '../moderation.ts';
import { attempt, building, certified, deployed, handshake, play, releasable, submitted } from '../story.ts';

const stepOf = (past: readonly PastEvent[]) =>
  given(past).when('read_session_state', {}, 'moderator').reply().instruction.tool;
const actionsOf = (past: readonly PastEvent[]) =>
  given(past)
    .when('read_session_state', {}, 'moderator')
    .reply()
    .pending_actions?.filter(({ type }) => type === 'ADVISE_DEPLOYMENT')
    .map(({ action_id }) => action_id);
const waitOf = (past: readonly PastEvent[]) =>
  given(past)
    .when('view', {}, 'owner')
    .reply()
    .waits.find(({ kind }) => kind === 'DEPLOYMENT' || kind === 'APPROVAL')?.text;

const AWAITED =
  'Every certification check holds: authorize the deployment, or request changes. The moderator has not given its advice yet; you can authorize without it.';
const advised = play(releasable, [recommends('PROCEED')]);
const COMMIT = { commit: 'c'.repeat(40) };

describe('the advice on the deployment', () => {
  test('is asked of the moderator once every certification check holds', () => {
    expect(actionsOf(building)).toEqual([]);
    expect(actionsOf(releasable)).toEqual(['act_15']);
    expect(stepOf(releasable)).toBe('recommend_to_owner');
    expect(waitOf(releasable)).toBe(AWAITED);
  });

  test.each(['PROCEED', 'PAUSE', 'OTHER'])('is given with %s, which the owner is told of', (kind) => {
    const past = play(releasable, [recommends(kind)]);
    expect(actionsOf(past)).toEqual([]);
    expect(stepOf(past)).not.toBe('recommend_to_owner');
    expect(waitOf(past)).toBe(
      'Every certification check holds: authorize the deployment, or request changes. The moderator gave its advice in rec_1.',
    );
  });

  test('is not given by an earlier recommendation', () => {
    const past = play(play(building, [recommends('OTHER')]), []);
    expect(actionsOf(past)).toEqual([]);
    expect(waitOf(play(past, [handshake('agent_a')]))).toBeUndefined();
  });

  test('is asked for again after the board was not certified in between', () => {
    const doubted = play(advised, [handshake('agent_a', COMMIT)]);
    expect(actionsOf(doubted)).toEqual([]);
    const rerun = play(releasable, [attempt('agent_a', 'test-reserve')]);
    expect(actionsOf(rerun)).toEqual([]);
    const resolved = play(play(advised, [finds()]), [
      ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'WITHDRAWN' }],
    ]);
    expect(actionsOf(resolved)).toEqual(['act_17']);
    expect(waitOf(resolved)).toBe(AWAITED);
  });

  test('is not awaited from a moderator that cannot act, or after the deployment', () => {
    const without = [...releasable, stopped];
    expect(waitOf(without)).toBe('Every certification check holds: authorize the deployment, or request changes.');
    expect(actionsOf(deployed)).toEqual([]);
  });

  test('stays due if the moderator only completes its action', () => {
    const past = play(releasable, [['moderator', 'complete_action', { action_id: 'act_15' }]]);
    expect(waitOf(past)).toBe(AWAITED);
    expect(stepOf(play(past, [['moderator', 'ack_events', { cursor: headOf(past) }]]))).toBe('recommend_to_owner');
    expect(waitOf(play(past, [recommends('PROCEED')]))).toContain('The moderator gave its advice in rec_1.');
  });

  test('is shown to the owner and the moderator only', () => {
    const events = given(releasable)
      .when('recommend_to_owner', { recommendation: 'PROCEED', text: 'Go.' }, 'moderator')
      .events();
    expect(events.map(({ kind }) => kind)).toEqual(['recommendation.made', 'action.settled']);
    for (const role of ['agent_a', 'agent_b'] as const)
      expect(given(advised).when('read_messages', { after: 0 }, role).reply().next_cursor).toBe(
        given(releasable).when('read_messages', { after: 0 }, role).reply().next_cursor,
      );
  });
});

const headOf = (past: readonly PastEvent[]): number =>
  given(past).when('get_session_events', { after: 0, limit: 100 }, 'moderator').reply().head;

describe('the wait for the approval', () => {
  test.each([
    ['has not reviewed', certified, 'The moderator has not reviewed the revision yet.'],
    ['has approved', play(certified, [judges('APPROVE')]), 'The moderator reviewed the revision: APPROVE.'],
    ['has commented', play(certified, [judges('COMMENT')]), 'The moderator reviewed the revision: COMMENT.'],
  ])('says that the moderator %s the revision', (_what, past, note) => {
    expect(waitOf(past)).toBe(
      `r_1 (3 kB; you have read no section) is certified: read it, then approve exactly its hash or request changes. ${note}`,
    );
    expect(waitOf(submitted)).toBeUndefined();
  });

  test('says nothing of a moderator that cannot act', () => {
    expect(waitOf([...certified, stopped])).toBe(
      'r_1 (3 kB; you have read no section) is certified: read it, then approve exactly its hash or request changes.',
    );
  });
});
