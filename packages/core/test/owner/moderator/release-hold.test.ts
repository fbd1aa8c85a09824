import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { findsAnotherAndHolds, onHold, stopped } from '../../moderation.ts';
import { play } from '../../story.ts';

const input = { hold_id: 'h_1', reason: 'The rollback is tried tonight.' };

describe('releaseHold', () => {
  describeOwner('releaseHold', { past: onHold, input, statuses: NOT_ENDED });

  test('releases exactly this hold, with the reason, and leaves its finding open', () => {
    const past = play(onHold, [findsAnotherAndHolds]);
    given(past)
      .when('releaseHold', input, 'owner')
      .thenEvents({
        kind: 'hold.released',
        actor: 'owner',
        data: { hold_id: 'h_1', finding_id: 'f_1', cause: 'OWNER', reason: 'The rollback is tried tonight.' },
      });
    const { holds, findings } = given(play(past, [['owner', 'releaseHold', input]]))
      .when('view', {}, 'owner')
      .reply();
    expect(holds.map(({ hold_id, status }) => [hold_id, status])).toEqual([
      ['h_1', 'RELEASED'],
      ['h_2', 'ACTIVE'],
    ]);
    expect(findings.map(({ status }) => status)).toEqual(['OPEN', 'OPEN']);
  });

  test('answers with the hold as it is now', () => {
    expect(given(onHold).when('releaseHold', input, 'owner').reply().hold).toMatchObject({
      hold_id: 'h_1',
      status: 'RELEASED',
      released: {
        cause: 'OWNER',
        reason: 'The rollback is tried tonight.',
        released_at: '2026-01-05T09:01:00.000Z',
      },
    });
  });

  test('works while the moderator is stopped', () => {
    given([...onHold, stopped])
      .when('releaseHold', input, 'owner')
      .reply();
  });

  test('refuses a hold that was released', () => {
    given(play(onHold, [['moderator', 'release_hold', { hold_id: 'h_1' }]]))
      .when('releaseHold', input, 'owner')
      .thenFails('HOLD_CLOSED', { hold_id: 'h_1' });
  });

  test('refuses an unknown hold', () => {
    given(onHold)
      .when('releaseHold', { ...input, hold_id: 'h_2' }, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'hold', id: 'h_2' } });
  });

  test('needs a reason', () => {
    const { issues } = given(onHold)
      .when('releaseHold', { hold_id: 'h_1' } as never, 'owner')
      .refusal();
    expect(issues).toMatchObject([{ path: 'reason' }]);
  });
});
