import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';
import { REVIEW_VERDICTS } from './events.ts';

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

export interface Review extends Readonly<Omit<z.output<typeof ReviewView>, 'outdated'>> {
  /** Whether the owner has requested changes to the revision after this review. */
  readonly overruled: boolean;
}
