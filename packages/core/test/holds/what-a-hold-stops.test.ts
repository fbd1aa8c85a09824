import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { SAMPLE_HASH } from '../contract/sample-contract.ts';
import { finds, findsAndHolds } from '../moderation.ts';
import { certified, deployed, play, ready, received, releasable } from '../story.ts';

/** A finding that does not block, so that only its hold can stop a call. */
const harmless = { ...findsAndHolds[2], blocking: false };
const onHold = (past: readonly PastEvent[]) => play(past, [finds(harmless)]);
const releases = [
  ['release_hold', ['moderator', 'release_hold', { hold_id: 'h_1' }]],
  ['releaseHold', ['owner', 'releaseHold', { hold_id: 'h_1', reason: 'Known.' }]],
  ['the end of its finding', ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }]],
  ['the override of its finding', ['owner', 'overrideFinding', { finding_id: 'f_1', reason: 'Known.' }]],
] as const;

const approve = (past: readonly PastEvent[]) =>
  given(past).when('approveContract', { revision_id: 'r_1', content_hash: SAMPLE_HASH }, 'owner');
const authorize = (past: readonly PastEvent[], stage: 'build' | 'deployment' | 'activation') =>
  given(past).when('authorize', { stage }, 'owner');

describe('an active hold', () => {
  test('stops the approval with a blocker that names who releases it', () => {
    const { error, blockers } = approve(onHold(certified)).refusal();
    expect({ error, blockers }).toEqual({
      error: 'NOT_CERTIFIED',
      blockers: [
        {
          code: 'HOLD_ACTIVE',
          record: { type: 'hold', id: 'h_1' },
          responsible: 'moderator',
          message: 'Hold h_1 on finding f_1 stops the approval and every authorization.',
          resolution: {
            text: 'Release hold h_1 with release_hold when finding f_1 no longer requires it. Resolving f_1 releases the hold too.',
            tool: 'release_hold',
            route: 'POST moderator/holds/release',
            payload: { hold_id: 'h_1' },
          },
        },
      ],
    });
  });

  test('stops the build', () => {
    authorize(onHold(ready), 'build').thenFails('HOLD_ACTIVE', { hold_ids: ['h_1'] });
    authorize(play(onHold(ready), [finds({ ...harmless, text: 'Another.' })]), 'build').thenFails('HOLD_ACTIVE', {
      hold_ids: ['h_1', 'h_2'],
    });
  });

  test('is reported after builders that are not ready', () => {
    authorize(onHold(received), 'build').thenFails('NOT_READY', { waiting_for: ['agent_a', 'agent_b'] });
  });

  test.each([
    ['deployment', releasable],
    ['activation', deployed],
  ] as const)('stops the %s, as a check that fails', (stage, past) => {
    const { error, checks } = authorize(onHold(past), stage).refusal();
    expect({ error, checks }).toMatchObject({
      error: 'CERTIFICATION_INCOMPLETE',
      checks: [
        { check: 'SCENARIOS_PASSED', ok: true },
        { check: 'NO_OPEN_DEFECT', ok: true },
        { check: 'HANDSHAKES_CURRENT', ok: true },
        { check: 'REQUIREMENTS_PROVEN', ok: true },
        { check: 'EVIDENCE_FROM_BOTH', ok: true },
        { check: 'NO_ACTIVE_HOLD', ok: false, detail: 'Active holds: h_1.' },
        { check: 'NO_BLOCKING_FINDING', ok: true },
      ],
    });
  });

  test.each(releases)('has no effect after %s', (_what, release) => {
    approve(play(onHold(certified), [release])).reply();
    authorize(play(onHold(ready), [release]), 'build').reply();
    authorize(play(onHold(releasable), [release]), 'deployment').reply();
    authorize(play(onHold(deployed), [release]), 'activation').reply();
  });

  test('stays while its moderator is stopped, and only the owner can release it', () => {
    const past: readonly PastEvent[] = [...onHold(certified), { kind: 'moderator.stopped', actor: 'owner', data: {} }];
    expect(approve(past).refusal()).toMatchObject({
      error: 'NOT_CERTIFIED',
      blockers: [{ code: 'HOLD_ACTIVE', responsible: 'owner', resolution: { tool: 'releaseHold' } }],
    });
  });

  test('stays active after a request for changes', () => {
    const past = play(onHold(ready), [['owner', 'requestChanges', { reason: 'Name the error.' }]]);
    const { holds } = given(past).when('read_session_state', {}, 'agent_a').reply();
    expect(holds?.map(({ hold_id }) => hold_id)).toEqual(['h_1']);
  });
});
