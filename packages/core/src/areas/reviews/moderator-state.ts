import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Slice } from '../slice.ts';
import type { ModeratorReview } from './moderator-record.ts';

export type ModeratorReviews = PersistentMap<ModeratorReview>;

export const moderatorReviewsSlice: Slice<ModeratorReviews> = {
  empty: emptyMap(),
  folds: {
    'moderator_review.submitted': (reviews, { at, data }) =>
      withEntry(reviews, data.revision_id, { ...data, submitted_at: at, override_reason: null, overruled: false }),
    'moderator_review.overridden': (reviews, { data }) =>
      changed(reviews, data.revision_id, { override_reason: data.reason }),
    'changes.requested': (reviews, { data }) => changed(reviews, data.revision_id, { overruled: true }),
  },
};

function changed(reviews: ModeratorReviews, id: string, change: Partial<ModeratorReview>): ModeratorReviews {
  const review = lookUp(reviews, id);
  return review ? withEntry(reviews, id, { ...review, ...change }) : reviews;
}
