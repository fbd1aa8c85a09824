import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { findsAnotherAndHolds, onHold, reviewed } from '../moderation.ts';
import { play } from '../story.ts';

const two: readonly PastEvent[] = play(onHold, [findsAnotherAndHolds]);
const active = (past: readonly PastEvent[]) =>
  given(past)
    .when('read_session_state', {}, 'agent_a')
    .reply()
    .holds?.map(({ hold_id }) => hold_id);

describe('release_hold', () => {
  test('releases exactly this hold and leaves its finding open', () => {
    const [event, ...others] = given(two).when('release_hold', { hold_id: 'h_1' }, 'moderator').events();
    expect([event, others]).toEqual([
      {
        kind: 'hold.released',
        actor: 'moderator',
        data: { hold_id: 'h_1', finding_id: 'f_1', cause: 'MODERATOR' },
      },
      [],
    ]);
    const past = play(two, [['moderator', 'release_hold', { hold_id: 'h_1' }]]);
    expect(active(two)).toEqual(['h_1', 'h_2']);
    expect(active(past)).toEqual(['h_2']);
    const { findings } = given(past).when('list_findings', {}, 'agent_a').reply();
    expect(findings.map(({ status }) => status)).toEqual(['OPEN', 'OPEN']);
  });

  test('answers with the status', () => {
    expect(given(onHold).when('release_hold', { hold_id: 'h_1' }, 'moderator').reply().hold).toEqual({
      hold_id: 'h_1',
      finding_id: 'f_1',
      status: 'RELEASED',
    });
  });

  test.each([
    ['itself', ['moderator', 'release_hold', { hold_id: 'h_1' }]],
    ['the owner', ['owner', 'releaseHold', { hold_id: 'h_1', reason: 'Known.' }]],
    ['the end of its finding', ['moderator', 'resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }]],
  ] as const)('refuses a hold that was released by %s', (_what, call) => {
    given(play(onHold, [call]))
      .when('release_hold', { hold_id: 'h_1' }, 'moderator')
      .thenFails('HOLD_CLOSED', { hold_id: 'h_1' });
  });

  test('refuses an unknown hold', () => {
    given(onHold)
      .when('release_hold', { hold_id: 'h_2' }, 'moderator')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'hold', id: 'h_2' } });
  });

  test('needs no permission after the permission was removed', () => {
    given(onHold, { permissions: [] }).when('release_hold', { hold_id: 'h_1' }, 'moderator').reply();
  });
});

describe('a hold', () => {
  const onReviewers = play(reviewed, [
    ['moderator', 'request_hold', { finding_id: 'f_1', reason: 'Not without an error.' }],
  ]);
  const released = {
    kind: 'hold.released',
    actor: 'system',
    data: { hold_id: 'h_1', finding_id: 'f_1', cause: 'FINDING_CLOSED' },
  } as const;

  test.each([
    ['resolves', 'RESOLVED', onHold, 'moderator'],
    ['withdraws', 'WITHDRAWN', onHold, 'moderator'],
    ['resolves as Technical Reviewer', 'RESOLVED', onReviewers, 'agent_b'],
    ['withdraws as Technical Reviewer', 'WITHDRAWN', onReviewers, 'agent_b'],
  ] as const)('is released in the append in which the raiser %s its finding', (_what, outcome, past, raiser) => {
    const stored = given(past).when('resolve_finding', { finding_id: 'f_1', outcome }, raiser).events();
    expect(stored.slice(0, 2)).toEqual([
      { kind: 'finding.resolved', actor: raiser, data: { finding_id: 'f_1', outcome } },
      released,
    ]);
  });

  test('is not released twice when its finding closes later', () => {
    const past = play(onHold, [['moderator', 'release_hold', { hold_id: 'h_1' }]]);
    const stored = given(past)
      .when('resolve_finding', { finding_id: 'f_1', outcome: 'RESOLVED' }, 'moderator')
      .events();
    expect(stored.filter(({ kind }) => kind === 'hold.released')).toEqual([]);
  });
});
