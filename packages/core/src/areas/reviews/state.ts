import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../catalog.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';
import { MODERATOR_VERDICTS, REVIEW_VERDICTS } from './events.ts';

export const ModeratorReviewView = namedObject('ModeratorReview', {
  revision_id: RevisionId,
  content_hash: z.string(),
  verdict: z.enum(MODERATOR_VERDICTS).register(documented, { id: 'ModeratorVerdict' }),
  summary: z.string(),
  dimensions: z.array(z.strictObject({ name: z.string(), score: z.int(), note: z.string().optional() })),
  outdated: z.boolean().describe('True if the review no longer counts.'),
  override_reason: z.string().nullable().describe('Why the owner overrode the review.'),
  submitted_at: At,
});

export interface ModeratorReview extends Readonly<Omit<z.output<typeof ModeratorReviewView>, 'outdated'>> {
  /** Whether the owner has requested changes to the revision after this review. */
  readonly overruled: boolean;
}

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

export const ReviewView = namedObject('Review', {
  by: BuilderRole,
  revision_id: RevisionId,
  content_hash: z.string(),
  verdict: z.enum(REVIEW_VERDICTS).register(documented, { id: 'ReviewVerdict' }),
  caveats: z.array(z.string()),
  outdated: z.boolean().describe('True if the review no longer counts.'),
  submitted_at: At,
});

export interface Review extends Readonly<Omit<z.output<typeof ReviewView>, 'outdated'>> {
  /** Whether the owner has requested changes to the revision after this review. */
  readonly overruled: boolean;
}

/** The latest review of each builder, which may be of an earlier revision. */
export type Reviews = Readonly<Partial<Record<Builder, Review>>>;

export const reviewsSlice: Slice<Reviews> = {
  empty: {},
  folds: {
    'changes.requested': overruled,
    'review.submitted': (reviews, { actor, at, data: { findings: _caveats, ...said } }) =>
      isBuilder(actor) ? { ...reviews, [actor]: { ...said, by: actor, submitted_at: at, overruled: false } } : reviews,
  },
};

function overruled({ agent_a, agent_b }: Reviews): Reviews {
  return {
    ...(agent_a && { agent_a: { ...agent_a, overruled: true } }),
    ...(agent_b && { agent_b: { ...agent_b, overruled: true } }),
  };
}
