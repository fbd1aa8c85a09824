import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/history.ts';
import { revisionOf } from '../contract/rules.ts';
import { RevisionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import { ModeratorReviewView, viewModeratorReview } from './moderator-schemas.ts';
import type { ModeratorReview } from './moderator-state.ts';

/** Spec 4.3. Without a revision it lists all, one per revision. */
export const getContractReview = defineOperation({
  name: 'get_contract_review',
  summary: 'Read your contract reviews, oldest first; with revision_id only the one of that revision.',
  rest: 'GET moderator/reviews/list',
  access: { moderator: true },
  input: z.strictObject({ revision_id: RevisionId.optional() }),
  output: z.strictObject({ reviews: z.array(ModeratorReviewView) }),
  errors: ['UNKNOWN_RECORD'],

  reply: (state, { revision_id }) => ({ reviews: reviewsOf(state, revision_id).map(viewModeratorReview(state)) }),
});

function reviewsOf(state: SessionState, revisionId: string | undefined): ModeratorReview[] {
  if (revisionId === undefined) return valuesOf(state.moderatorReviews);
  const review = lookUp(state.moderatorReviews, revisionOf(state, revisionId).revisionId);
  return review ? [review] : [];
}
