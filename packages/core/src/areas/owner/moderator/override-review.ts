import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { Reason } from '../../fields.ts';
import { moderatorGrounds, moderatorReviewGrounds, revisionGrounds } from '../../grounds/grounds.ts';
import { SEEN } from '../../grounds/rules.ts';
import { defineDecision } from '../../operation.ts';
import { currentModeratorReview } from '../../reviews/moderator-rules.ts';
import { ModeratorReviewResult, viewModeratorReview } from '../../reviews/moderator-schemas.ts';
import { requirePhase, requireStatus } from '../rules.ts';

const NOT_BLOCKING = 'No override is needed: no review of the moderator blocks the approval.';

/**
 * Domain 3. Overrides the moderator's request for changes. The owner cannot override a builder's review, because an
 * approval needs the reviews of both builders.
 */
export const overrideReview = defineDecision({
  name: 'overrideReview',
  summary:
    "Override the moderator's request for changes of the latest revision, with your reason; the request then no longer blocks.",
  access: { owner: 'approver' },
  input: z.strictObject({
    role: z
      .enum(['moderator'], 'Only the review of the moderator can be overridden.')
      .describe("The reviewer: only the moderator's review can be overridden."),
    reason: Reason,
    ...SEEN,
  }),
  output: ModeratorReviewResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ answer: { review } }) =>
    `The moderator's review of ${review.revision_id} is overridden with your reason, and no longer blocks the approval.`,

  restsOn: (state) => [...revisionGrounds(state), ...moderatorReviewGrounds(state), ...moderatorGrounds(state)],

  decide(state, { reason }) {
    requireStatus(state, 'overrideReview', 'ACTIVE', 'PAUSED');
    requirePhase(state, 'overrideReview', 'CONTRACT');
    const review = currentModeratorReview(state);
    if (review?.verdict !== 'REQUEST_CHANGES')
      return fail('INVALID_TRANSITION', 'The moderator has not requested changes of the latest revision.', {
        hint: NOT_BLOCKING,
      });
    if (review.override_reason !== null)
      return fail(
        'INVALID_TRANSITION',
        "You have already overridden the moderator's request for changes of the latest revision.",
        { hint: NOT_BLOCKING },
      );
    return [{ kind: 'moderator_review.overridden', data: { revision_id: review.revision_id, reason } }];
  },

  reply(state) {
    const { latest } = state.contract;
    const review = lookUp(state.moderatorReviews, latest?.revision_id ?? '');
    return {
      review: viewModeratorReview(state)(
        review ?? fail('INTERNAL', 'The override was stored, but the state does not contain the review.'),
      ),
    };
  },
});
