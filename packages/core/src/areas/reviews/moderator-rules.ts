import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { isModeratorAdmitted } from '../access/rules.ts';
import type { SessionState } from '../state.ts';
import type { ModeratorReview } from './moderator-record.ts';

/**
 * The moderator's review of the latest revision. Undefined if there is none, or if the owner requested changes after
 * this review.
 */
export function currentModeratorReview(state: SessionState): ModeratorReview | undefined {
  const { latest } = state.contract;
  const review = latest ? lookUp(state.moderatorReviews, latest.revision_id) : undefined;
  return review?.overruled ? undefined : review;
}

/**
 * Domain 7.4. The moderator's review that requests changes to the latest revision and blocks the approval. Undefined
 * outside CONTRACT, and if the owner overrides the review, stops the moderator or no longer allows moderators.
 */
export function standingObjection(state: SessionState): ModeratorReview | undefined {
  const review = currentModeratorReview(state);
  const isOpposed = review?.verdict === 'REQUEST_CHANGES' && review.override_reason === null;
  const stands = isOpposed && state.profile.phase === 'CONTRACT';
  return stands && isModeratorAdmitted(state.access) ? review : undefined;
}
