import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { entitled, invitedAgain, onHold, restored, revoked, stopped } from '../../moderation.ts';

const ALWAYS = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;
const moderator = {
  active: true,
  stopped: false,
  entitled: true,
  permissions: ['ask', 'find', 'hold', 'review', 'recommend'],
  acked_cursor: 0,
} as const;

describe('stopModerator', () => {
  describeOwner('stopModerator', { statuses: ALWAYS });

  test('stops the moderator', () => {
    given()
      .when('stopModerator', { reason: 'Too loud.' }, 'owner')
      .thenEvents({ kind: 'moderator.stopped', actor: 'owner', data: { reason: 'Too loud.' } })
      .thenReply({ moderator: { ...moderator, active: false, stopped: true } });
  });

  test('stores nothing if the moderator is stopped already', () => {
    given([stopped])
      .when('stopModerator', {}, 'owner')
      .thenEvents()
      .thenReply({ moderator: { ...moderator, active: false, stopped: true } });
  });

  test('is refused with a reason if the moderator is stopped already: the reason would be lost', () => {
    const refusal = given([stopped]).when('stopModerator', { reason: 'Still.' }, 'owner').refusal();
    expect(refusal).toMatchObject({
      error: 'INVALID_TRANSITION',
      message: 'The moderator is stopped already: nothing changes, and your reason is not stored.',
      hint: 'Leave the reason out: the call then answers that the moderator is stopped. The log keeps the reason of the stop that stands.',
    });
  });

  test('leaves its holds and findings as they are', () => {
    const { holds, findings } = given([...onHold, stopped])
      .when('view', {}, 'owner')
      .reply();
    expect([holds[0]?.status, findings[0]?.status]).toEqual(['ACTIVE', 'OPEN']);
  });

  test('stops the next moderator too', () => {
    given([revoked, stopped, invitedAgain]).when('read_task', {}, 'moderator').thenFails('MODERATOR_STOPPED');
  });
});

describe('restoreModerator', () => {
  describeOwner('restoreModerator', { past: [stopped], statuses: ALWAYS });

  test('lets the moderator work again', () => {
    given([stopped]).when('restoreModerator', {}, 'owner').thenEvents(restored).thenReply({ moderator });
  });

  test('stores nothing if the moderator is not stopped', () => {
    given().when('restoreModerator', {}, 'owner').thenEvents().thenReply({ moderator });
  });

  test.each([
    ['the access that was revoked', [revoked, stopped], 'TOKEN_REVOKED'],
    ['the entitlement', [stopped, entitled(false)], 'MODERATOR_NOT_ENTITLED'],
  ] as const)('does not give back %s', (_what, past, code) => {
    expect(given(past).when('restoreModerator', {}, 'owner').reply().moderator.active).toBe(false);
    given([...past, restored])
      .when('read_task', {}, 'moderator')
      .thenFails(code);
  });
});
