import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At, RevisionId } from '../fields.ts';
import { MODERATOR_VERDICTS } from './moderator-events.ts';

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

export interface ModeratorReview extends Readonly<Omit<z.output<typeof ModeratorReviewView>, 'outdated'>> {
  /** Whether the owner has requested changes to the revision after this review. */
  readonly overruled: boolean;
}
