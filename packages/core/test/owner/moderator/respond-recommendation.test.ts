import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { recommends } from '../../moderation.ts';
import { play } from '../../story.ts';

const made = play([], [recommends()]);
const input = { recommendation_id: 'rec_1', decision: 'ACCEPT', note: 'Tonight.' } as const;
const answered = play(made, [['owner', 'respondRecommendation', input]]);

describe('respondRecommendation', () => {
  describeOwner('respondRecommendation', { past: made, input, statuses: NOT_ENDED });

  test('tells the moderator whether the owner follows its advice', () => {
    given(made)
      .when('respondRecommendation', input, 'owner')
      .thenEvents({ kind: 'recommendation.answered', actor: 'owner', data: input })
      .thenReply({
        recommendation: {
          recommendation_id: 'rec_1',
          recommendation: 'PAUSE',
          text: 'Wait for the rollback.',
          targets: ['agent_a', 'agent_b'],
          made_at: '2026-01-05T09:00:00.000Z',
          answer: { decision: 'ACCEPT', note: 'Tonight.', answered_at: '2026-01-05T09:01:00.000Z' },
        },
      });
  });

  test('needs no note', () => {
    const { recommendation } = given(made)
      .when('respondRecommendation', { recommendation_id: 'rec_1', decision: 'REJECT' }, 'owner')
      .reply();
    expect(recommendation.answer).toMatchObject({ decision: 'REJECT', note: null });
  });

  test('has no other effect: an accepted recommendation to pause pauses nothing', () => {
    expect(given(answered).when('read_session_state', {}, 'agent_a').reply().status).toBe('ACTIVE');
  });

  test('stores nothing for the same answer again', () => {
    expect(given(answered).when('respondRecommendation', input, 'owner').thenEvents().reply()).toMatchObject({
      recommendation: { answer: { answered_at: '2026-01-05T09:00:00.000Z' } },
    });
  });

  test.each([
    ['decision', { decision: 'REJECT' }],
    ['note', { note: 'Tomorrow.' }],
    ['note', { note: undefined }],
  ] as const)('refuses another %s', (_what, changes) => {
    given(answered)
      .when('respondRecommendation', { ...input, ...changes } as never, 'owner')
      .thenFails('ALREADY_ANSWERED', { recommendation_id: 'rec_1' });
  });

  test('refuses an unknown recommendation', () => {
    given(made)
      .when('respondRecommendation', { ...input, recommendation_id: 'rec_2' }, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'recommendation', id: 'rec_2' } });
  });

  test.each([
    ['decision', { decision: 'MAYBE' }],
    ['note', { note: 'x'.repeat(2_001) }],
    ['recommendation_id', { recommendation_id: 'rec_0' }],
  ])('refuses a wrong %s', (path, changes) => {
    const { issues } = given(made)
      .when('respondRecommendation', { ...input, ...changes } as never, 'owner')
      .refusal();
    expect(issues).toMatchObject([{ path }]);
  });
});
