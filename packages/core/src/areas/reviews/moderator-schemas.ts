import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At, RevisionId, text } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { MODERATOR_VERDICTS } from './moderator-events.ts';
import type { ModeratorReview } from './moderator-state.ts';

/** A score and a note on an aspect of the contract, such as completeness or testability. */
export const Dimension = z.strictObject({
  name: text(100),
  score: z.int().min(1).max(5).describe('1 is bad, 5 is good.'),
  note: text(1_000).optional(),
});

export const ModeratorReviewView = z.strictObject({
  revision_id: RevisionId,
  content_hash: z.string(),
  verdict: z.enum(MODERATOR_VERDICTS).register(documented, { id: 'ModeratorVerdict' }),
  summary: z.string(),
  dimensions: z.array(z.strictObject({ name: z.string(), score: z.int(), note: z.string().optional() })),
  outdated: z.boolean().describe('True if the review no longer counts.'),
  override_reason: z.string().nullable().describe('Why the owner overrode the review.'),
  submitted_at: At,
});
documented.add(ModeratorReviewView, { id: 'ModeratorReview' });
export const ModeratorReviewResult = z
  .strictObject({ review: ModeratorReviewView })
  .register(documented, { id: 'ModeratorReviewResult' });

export const viewModeratorReview =
  ({ contract: { latest } }: SessionState) =>
  (review: ModeratorReview): z.output<typeof ModeratorReviewView> => ({
    revision_id: review.revisionId,
    content_hash: review.contentHash,
    verdict: review.verdict,
    summary: review.summary,
    dimensions: review.dimensions.map((dimension) => ({ ...dimension })),
    outdated: review.revisionId !== latest?.revisionId || review.isOverruled,
    override_reason: review.overrideReason,
    submitted_at: review.at,
  });
