import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { revisionOf } from '../contract/rules.ts';
import { RevisionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import type { ModeratorReview } from './moderator-record.ts';
import { ModeratorReviewView } from './moderator-record.ts';
import { viewModeratorReview } from './moderator-schemas.ts';

/**
 * Spec 4.3. Lists the latest review of each revision, or the review of the revision that the caller names. If the
 * answer cannot contain all reviews, it lists the newest.
 */
export const getContractReview = defineOperation({
  name: 'get_contract_review',
  summary: 'Read all your contract reviews, or only the review of revision_id.',
  rest: 'GET moderator/reviews/list',
  access: { moderator: true },
  input: z.strictObject({ revision_id: RevisionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ reviews: z.array(ModeratorReviewView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reply(state, { revision_id, after }) {
    const { shown, leftOut } = listed({
      records: reviewsOf(state, revision_id),
      view: viewModeratorReview(state),
      isCurrent: () => false,
      idOf: ({ revision_id }) => revision_id,
      tool: 'get_contract_review',
      after,
    });
    return { reviews: shown, ...leftOut };
  },
});

function reviewsOf(state: SessionState, revisionId: string | undefined): ModeratorReview[] {
  if (revisionId === undefined) return valuesOf(state.moderatorReviews);
  const review = lookUp(state.moderatorReviews, revisionOf(state, revisionId).revision_id);
  return review ? [review] : [];
}
