import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { REVIEW_VERDICTS } from './events.ts';
import { isOfLatest } from './rules.ts';
import type { Review } from './state.ts';

export const ReviewView = z.strictObject({
  by: BuilderRole,
  revision_id: RevisionId,
  content_hash: z.string(),
  verdict: z.enum(REVIEW_VERDICTS).register(documented, { id: 'ReviewVerdict' }),
  caveats: z.array(z.string()),
  outdated: z.boolean().describe('True if the review no longer counts.'),
  submitted_at: At,
});
documented.add(ReviewView, { id: 'Review' });

/** A review without its caveats, which the caller has sent or read before. */
export const GivenReviewView = ReviewView.omit({ caveats: true }).register(documented, { id: 'GivenReview' });

export const viewGivenReviews = ({ reviews, contract: { latest } }: SessionState): z.output<typeof GivenReviewView>[] =>
  BUILDERS.flatMap((builder) => {
    const review = reviews[builder];
    return review ? [viewGivenReview(review, latest?.revisionId)] : [];
  });

/** Adds the latest review of each builder to an answer. The caveats of each review are a list of their own. */
export function listReviews(
  lists: BoundedLists,
  { reviews, contract: { latest } }: SessionState,
): () => z.output<typeof ReviewView>[] {
  const views = BUILDERS.flatMap((builder) => {
    const review = reviews[builder];
    if (!review) return [];
    const caveats = lists.list({
      records: review.caveats,
      view: (caveat) => caveat,
      how: () => 'Read the transcript: it contains all caveats.',
    });
    return [() => ({ ...viewGivenReview(review, latest?.revisionId), caveats: caveats() })];
  });
  return () => views.map((view) => view());
}

const viewGivenReview = (review: Review, latestId: string | undefined): z.output<typeof GivenReviewView> => ({
  by: review.by,
  revision_id: review.revisionId,
  content_hash: review.contentHash,
  verdict: review.verdict,
  outdated: !isOfLatest(review, latestId),
  submitted_at: review.at,
});
