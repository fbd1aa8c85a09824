import type { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { pickOf } from '../pick.ts';
import type { SessionState } from '../state.ts';
import { type Review, ReviewView } from './record.ts';
import { isOfLatest } from './rules.ts';

/** A review without its caveats, which the caller has sent or read before. */
export const GivenReviewView = ReviewView.omit({ caveats: true }).register(documented, { id: 'GivenReview' });

export const viewGivenReviews = ({ reviews, contract: { latest } }: SessionState): z.output<typeof GivenReviewView>[] =>
  BUILDERS.flatMap((builder) => {
    const review = reviews[builder];
    return review ? [viewGivenReview(review, latest?.revision_id)] : [];
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
    return [() => ({ ...viewGivenReview(review, latest?.revision_id), caveats: caveats() })];
  });
  return () => views.map((view) => view());
}

const pickGiven = pickOf(GivenReviewView);

const viewGivenReview = (review: Review, latestId: string | undefined) =>
  pickGiven({ ...review, outdated: !isOfLatest(review, latestId) });
