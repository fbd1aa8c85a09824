import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { isModeratorHeard } from '../access/rules.ts';
import type { SessionState } from '../state.ts';
import type { ModeratorReview } from './moderator-state.ts';

/** The moderator's review of exactly the latest revision, unless the owner sent that revision back since. */
export function currentModeratorReview(state: SessionState): ModeratorReview | undefined {
  const { latest } = state.contract;
  const review = latest ? lookUp(state.moderatorReviews, latest.revisionId) : undefined;
  return review?.isOverruled ? undefined : review;
}

/**
 * Domain 7.4: the review that asks for changes of the latest revision, while it binds. It does not once the moderator
 * was stopped, lost its entitlement, or the owner overrode it, nor after an approval that it did not stop.
 */
export function standingObjection(state: SessionState): ModeratorReview | undefined {
  const review = currentModeratorReview(state);
  const isOpposed = review?.verdict === 'REQUEST_CHANGES' && review.overrideReason === null;
  const stands = isOpposed && state.profile.phase === 'CONTRACT';
  return stands && isModeratorHeard(state.access) ? review : undefined;
}
