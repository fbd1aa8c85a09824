import type { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';
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

export const emptyModeratorReviews: ModeratorReviews = emptyMap();

export function evolveModeratorReviews(reviews: ModeratorReviews, event: SessionEvent): ModeratorReviews {
  switch (event.kind) {
    case 'moderator_review.submitted': {
      const { revision_id: revisionId, content_hash: contentHash, verdict, summary, dimensions } = event.data;
      const said = { revisionId, contentHash, verdict, summary, dimensions, at: event.at };
      return withEntry(reviews, revisionId, { ...said, overrideReason: null, isOverruled: false });
    }
    case 'moderator_review.overridden':
      return changed(reviews, event.data.revision_id, { overrideReason: event.data.reason });
    case 'changes.requested':
      return changed(reviews, event.data.revision_id, { isOverruled: true });
    default:
      return reviews;
  }
}

function changed(reviews: ModeratorReviews, id: string, change: Partial<ModeratorReview>): ModeratorReviews {
  const review = lookUp(reviews, id);
  return review ? withEntry(reviews, id, { ...review, ...change }) : reviews;
}
