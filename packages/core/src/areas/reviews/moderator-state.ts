import type { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Slice } from '../slice.ts';
import type { Dimension, MODERATOR_VERDICTS } from './moderator-events.ts';

export interface ModeratorReview {
  readonly revisionId: string;
  readonly contentHash: string;
  readonly verdict: (typeof MODERATOR_VERDICTS)[number];
  readonly summary: string;
  readonly dimensions: readonly Readonly<z.output<typeof Dimension>>[];
  readonly at: string;
  /** The owner's reason for overriding the review. Null if the owner has not overridden it. */
  readonly overrideReason: string | null;
  /** Whether the owner has requested changes to the revision after this review. */
  readonly isOverruled: boolean;
}

export type ModeratorReviews = PersistentMap<ModeratorReview>;

export const moderatorReviewsSlice: Slice<ModeratorReviews> = {
  empty: emptyMap(),
  folds: {
    'moderator_review.submitted': (reviews, event) => {
      const { revision_id: revisionId, content_hash: contentHash, verdict, summary, dimensions } = event.data;
      const said = { revisionId, contentHash, verdict, summary, dimensions, at: event.at };
      return withEntry(reviews, revisionId, { ...said, overrideReason: null, isOverruled: false });
    },
    'moderator_review.overridden': (reviews, event) =>
      changed(reviews, event.data.revision_id, { overrideReason: event.data.reason }),
    'changes.requested': (reviews, event) => changed(reviews, event.data.revision_id, { isOverruled: true }),
  },
};

function changed(reviews: ModeratorReviews, id: string, change: Partial<ModeratorReview>): ModeratorReviews {
  const review = lookUp(reviews, id);
  return review ? withEntry(reviews, id, { ...review, ...change }) : reviews;
}
