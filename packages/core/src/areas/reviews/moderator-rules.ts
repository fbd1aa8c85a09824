import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { isModeratorHeard } from '../access/rules.ts';
import type { SessionState } from '../state.ts';
import type { ModeratorReview } from './moderator-state.ts';

/**
 * The moderator's review of the latest revision; undefined if the owner has since requested changes of that revision.
 */
export function currentModeratorReview(state: SessionState): ModeratorReview | undefined {
  const { latest } = state.contract;
  const review = latest ? lookUp(state.moderatorReviews, latest.revisionId) : undefined;
  return review?.isOverruled ? undefined : review;
}

/**
 * Domain 7.4: the moderator's request for changes of the latest revision, while it blocks. It stops blocking once the
 * moderator is stopped or loses its entitlement, once the owner overrides it, and after an approval.
 */
export function standingObjection(state: SessionState): ModeratorReview | undefined {
  const review = currentModeratorReview(state);
  const isOpposed = review?.verdict === 'REQUEST_CHANGES' && review.overrideReason === null;
  const stands = isOpposed && state.profile.phase === 'CONTRACT';
  return stands && isModeratorHeard(state.access) ? review : undefined;
}
