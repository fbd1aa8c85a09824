import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../../src/testing/index.ts';
import { changed, SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import {
  approve,
  approved,
  building,
  certified,
  decided,
  play,
  ready,
  received,
  submit,
  submitted,
} from '../../story.ts';

const [, , exact] = approve;
const NOW = ['ACTIVE', 'PAUSED'] as const;
const state = (past: readonly PastEvent[]) => given(past).when('view', {}, 'owner').reply().state;

describe('approveContract', () => {
  describeOwner('approveContract', { past: certified, input: exact ?? {}, statuses: NOW });

  test('freezes the manifest and opens READINESS', () => {
    const reply = given(certified)
      .when('approveContract', exact as never, 'owner')
      .reply();
    expect(reply).toMatchObject({ phase: 'READINESS', manifest: { manifest_id: 'm_1', content_hash: SAMPLE_HASH } });
    expect(state(approved)).toMatchObject({ phase: 'READINESS', latest_revision: { status: 'APPROVED' } });
  });

  test('refuses a revision that is not certified, and lists the reasons', () => {
    expect(
      given(submitted)
        .when('approveContract', exact as never, 'owner')
        .refusal(),
    ).toMatchObject({ error: 'NOT_CERTIFIED', blockers: [{ code: 'REVIEW_MISSING' }, { code: 'REVIEW_MISSING' }] });
  });

  test('refuses an earlier revision and names the latest', () => {
    const past = play(certified, [submit('r_1', changed({ title: 'Another' }))]);
    expect(
      given(past)
        .when('approveContract', exact as never, 'owner')
        .refusal(),
    ).toMatchObject({ error: 'STALE_REVISION', latest_revision_id: 'r_2' });
  });

  test('refuses other bytes than those reviewed', () => {
    given(certified)
      .when('approveContract', { revision_id: 'r_1', content_hash: 'f'.repeat(64) }, 'owner')
      .thenFails('HASH_MISMATCH', { revision_id: 'r_1' });
  });

  test('works only in CONTRACT', () => {
    given(approved)
      .when('approveContract', exact as never, 'owner')
      .thenFails('INVALID_TRANSITION', { phase: 'READINESS', allowed_phases: ['CONTRACT'] });
  });
});

describe('requestChanges', () => {
  const input = { reason: 'Name the error of an unknown article.' };
  describeOwner('requestChanges', { past: submitted, input, statuses: NOW });

  test.each([
    ['CONTRACT', certified],
    ['READINESS', received],
    ['READINESS, both ready', ready],
    ['VERIFY', building],
  ])('from %s returns the session to CONTRACT, where the author has to act', (_phase, past) => {
    const back = play(past, [['owner', 'requestChanges', input]]);
    const { phase, authorizations, blockers, latest_revision } = state(back);
    expect(phase).toBe('CONTRACT');
    expect(authorizations.build_authorized).toBe(false);
    expect(latest_revision?.status).toBe('IN_REVIEW');
    expect(blockers.first?.map(({ code, responsible }) => `${code} ${responsible}`)).toEqual([
      'CHANGES_REQUESTED agent_a',
    ]);
    const { reviews } = given(back).when('get_final_plan', {}, 'agent_a').reply();
    expect(reviews.map(({ outdated }) => outdated)).toEqual([true, true]);
  });

  test('stands until a newer revision exists', () => {
    const back = play(certified, [['owner', 'requestChanges', input], submit('r_1')]);
    expect(state(back).blockers.first?.map(({ code }) => code)).toEqual(['REVIEW_MISSING', 'REVIEW_MISSING']);
  });

  test('needs a revision', () => {
    given(decided).when('requestChanges', input, 'owner').thenFails('INVALID_TRANSITION', {
      phase: 'CONTRACT',
      hint: 'Send a directive to the agents, or wait for the first revision.',
    });
    given()
      .when('requestChanges', input, 'owner')
      .thenFails('INVALID_TRANSITION', {
        phase: 'PLANNING',
        allowed_phases: ['CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'],
      });
  });
});

describe('authorize', () => {
  describeOwner('authorize', { past: ready, input: { stage: 'build' }, statuses: NOW });

  test('opens VERIFY and gives both agents their build', () => {
    expect(given(ready).when('authorize', { stage: 'build' }, 'owner').reply()).toMatchObject({
      phase: 'VERIFY',
      authorizations: { build_authorized: true, deployment_authorized: false, activation_authorized: false },
    });
    for (const [role, task] of [
      ['agent_a', 'task-orders'],
      ['agent_b', 'task-stock'],
    ] as const) {
      const { actions } = given(building).when('poll_actions', {}, role).reply();
      expect(actions).toMatchObject([
        { type: 'BEGIN_BUILD', due_to: role, status: 'PENDING' },
        { type: 'DECLARE_HANDSHAKE', due_to: role, status: 'PENDING' },
        { type: 'BUILD_TASK', due_to: role, status: 'PENDING', about: { type: 'task', id: task } },
      ]);
    }
  });

  test('is refused until both builders are ready', () => {
    given(received)
      .when('authorize', { stage: 'build' }, 'owner')
      .thenFails('NOT_READY', { waiting_for: ['agent_a', 'agent_b'] });
  });

  test('works only in READINESS', () => {
    given(certified)
      .when('authorize', { stage: 'build' }, 'owner')
      .thenFails('INVALID_TRANSITION', { phase: 'CONTRACT', allowed_phases: ['READINESS'] });
  });
});

describe('plan', () => {
  describeOwner('plan', { past: certified, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });

  test('returns the plan as the agents see it', () => {
    const { head: _, ...shown } = given(certified).when('plan', {}, 'owner').reply();
    expect(shown).toEqual(given(certified).when('get_final_plan', {}, 'agent_a').reply());
  });
});
