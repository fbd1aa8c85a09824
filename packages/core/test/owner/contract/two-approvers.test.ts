import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../../src/testing/index.ts';
import { changed, SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { COMMITS, certified, declared, handshake, play, ready, releasable, submit } from '../../story.ts';

const ADA = { id: 'p_1', name: 'Ada', role: 'approver' } as const;
const BEN = { id: 'p_2', name: 'Ben', role: 'approver' } as const;
const TWO: GivenOptions = { session: { required_approvals: 2 } };
const exact = { revision_id: 'r_1', content_hash: SAMPLE_HASH };

const firstOf = (stage: 'approval' | 'deployment' | 'activation', subject: object, person = ADA): PastEvent => ({
  kind: 'approval.given',
  actor: 'owner',
  person: { id: person.id, name: person.name },
  data: { stage, ...subject },
});
const byAda = firstOf('approval', exact);
const release = { manifest_id: 'm_1', commits: COMMITS };
const view = (past: readonly PastEvent[]) => given(past, TWO).when('view', {}, 'owner').reply();

describe('a session that requires two approvers', () => {
  test('records the first approval and stays in CONTRACT', () => {
    given(certified, TWO)
      .when('approveContract', exact, ADA)
      .thenEvents(byAda)
      .thenReply({
        session_id: 'SessionOfTheGivenTests',
        status: 'ACTIVE',
        phase: 'CONTRACT',
        round_limit: 3,
        manifest: null,
        approvals: {
          stage: 'approval',
          required: 2,
          given: [{ person: { id: 'p_1', name: 'Ada' }, at: '2026-01-05T09:01:00.000Z' }],
        },
        open_caveats: [],
      });
  });

  test('approves with the second approver, and shows both', () => {
    const outcome = given([...certified, byAda], TWO).when('approveContract', exact, BEN);
    const [first, second] = outcome.events();
    expect(first).toMatchObject({ kind: 'contract.approved', person: { id: 'p_2', name: 'Ben' } });
    expect(second).toMatchObject({ kind: 'phase.changed', actor: 'system' });
    expect(second).not.toHaveProperty('person');
    expect(outcome.reply()).toMatchObject({
      phase: 'READINESS',
      manifest: { manifest_id: 'm_1' },
      approvals: { required: 2, given: [{ person: { name: 'Ada' } }, { person: { name: 'Ben' } }] },
    });
  });

  test('counts the same person once, even after a change of name', () => {
    const renamed = { ...ADA, name: 'Ada Lovelace' };
    given([...certified, byAda], TWO)
      .when('approveContract', exact, renamed)
      .thenEvents();
  });

  test('refuses a call without a person', () => {
    const refused = given(certified, TWO).when('approveContract', exact, 'owner');
    refused.thenFails('INVALID_TRANSITION');
    expect(refused.refusal().message).toBe('This session needs 2 approvers, and the call names no person.');
  });

  test('tells the owner who has approved and what is missing', () => {
    expect(view(certified).waits.map(({ text }) => text)).toEqual([
      'r_1 (3 kB; you have read no section) is certified: read it, then approve exactly its hash or request changes. The moderator has not reviewed the revision yet. This step needs 2 approvers.',
    ]);
    expect(view([...certified, byAda]).waits.map(({ text }) => text)).toEqual([
      'r_1 (3 kB; you have read no section) is certified: read it, then approve exactly its hash or request changes. The moderator has not reviewed the revision yet. Ada approved; another approver must approve too.',
    ]);
    expect(
      given([...certified, byAda], TWO)
        .when('brief', {}, 'owner')
        .reply().approvals,
    ).toEqual({
      stage: 'approval',
      required: 2,
      given: [{ person: { id: 'p_1', name: 'Ada' }, at: '2026-01-05T09:00:00.000Z' }],
    });
  });

  test('shows no agent that one approver has approved', () => {
    const before = given(certified, TWO).when('read_session_state', {}, 'agent_a').reply();
    expect(
      given([...certified, byAda], TWO)
        .when('read_session_state', {}, 'agent_a')
        .reply(),
    ).toEqual(before);
  });

  test.each([
    ['a new revision', [submit('r_1', changed({ title: 'Another' }))]],
    ['a request for changes', [['owner', 'requestChanges', { reason: 'Shorter.' }]]],
  ] as const)('forgets the first approval after %s', (_what, calls) => {
    const past = play([...certified, byAda], calls, TWO);
    expect(view(past).approvals).toEqual([]);
  });
});

describe('the release with two approvers', () => {
  test.each([
    ['deployment', releasable],
    ['activation', play(releasable, [['owner', 'authorize', { stage: 'deployment' }]])],
  ] as const)('records the first approval of the %s, and authorizes with the second', (stage, past) => {
    const first = firstOf(stage, release);
    given(past, TWO).when('authorize', { stage }, ADA).thenEvents(first);
    given([...past, first], TWO)
      .when('authorize', { stage }, ADA)
      .thenEvents();
    expect(
      given([...past, first], TWO)
        .when('authorize', { stage, note: 'Late.' }, ADA)
        .refusal(),
    ).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: `Your authorization of the ${stage} is recorded already: nothing changes, and your note is not stored.`,
    });
    const second = given([...past, first], TWO).when('authorize', { stage }, BEN);
    expect(second.events()[0]).toMatchObject({ kind: `${stage}.authorized`, person: { id: 'p_2' }, data: release });
    expect(second.reply().approvals.given.map(({ person }) => person?.name)).toEqual(['Ada', 'Ben']);
  });

  test('forgets the first approval if a builder declares another commit', () => {
    const past = play(
      [...releasable, firstOf('deployment', release)],
      [handshake('agent_a', { commit: 'c'.repeat(40) })],
      TWO,
    );
    expect(view(past).approvals.map(({ stage }) => stage)).toEqual(['approval', 'build']);
  });

  test('shows on the board who authorized what', () => {
    const { approvals } = given(declared, TWO).when('board', {}, 'owner').reply();
    expect(approvals.map(({ stage, required }) => [stage, required])).toEqual([
      ['approval', 2],
      ['build', 1],
    ]);
  });

  test('needs one approver for the build', () => {
    const [first] = given(ready, TWO).when('authorize', { stage: 'build' }, ADA).events();
    expect(first).toMatchObject({ kind: 'build.authorized', person: { id: 'p_1', name: 'Ada' } });
  });
});
