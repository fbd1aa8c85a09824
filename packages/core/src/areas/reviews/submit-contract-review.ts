import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { requireLatest } from '../contract/rules.ts';
import { LongText, RevisionId, text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { MODERATOR_VERDICTS } from './moderator-events.ts';
import { ModeratorReviewView } from './moderator-record.ts';
import { currentModeratorReview } from './moderator-rules.ts';
import { Dimension, viewModeratorReview } from './moderator-schemas.ts';

/** Spec 4.3. Stores the moderator's review, which replaces its earlier review of the same revision. */
export const submitContractReview = defineOperation({
  name: 'submit_contract_review',
  summary: 'Review the latest revision. REQUEST_CHANGES blocks its approval until your next review.',
  rest: 'POST moderator/reviews',
  access: { moderator: 'review' },
  phases: ['CONTRACT'],
  input: z.strictObject({
    revision_id: RevisionId,
    content_hash: text(100),
    verdict: z.enum(MODERATOR_VERDICTS).describe('COMMENT neither approves nor blocks.'),
    summary: LongText,
    dimensions: z
      .array(Dimension)
      .max(20)
      .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'Names a dimension twice.'),
  }),
  output: z.strictObject({ review: ModeratorReviewView.pick({ revision_id: true, verdict: true, outdated: true }) }),
  errors: ['UNKNOWN_RECORD', 'STALE_REVISION', 'HASH_MISMATCH'],

  decide(state, { revision_id, content_hash, verdict, summary, dimensions }) {
    requireLatest(state, revision_id, content_hash);
    const standing = currentModeratorReview(state);
    const isSame =
      standing?.override_reason === null &&
      JSON.stringify([standing.verdict, standing.summary, standing.dimensions]) ===
        JSON.stringify([verdict, summary, dimensions]);
    const data = { revision_id, content_hash, verdict, summary, dimensions };
    return isSame ? [] : [{ kind: 'moderator_review.submitted', data }];
  },

  reply(state, { revision_id }) {
    const review = lookUp(state.moderatorReviews, revision_id);
    const { verdict, outdated } = viewModeratorReview(state)(
      review ?? fail('INTERNAL', 'The review was stored, but the state does not contain it.'),
    );
    return { review: { revision_id, verdict, outdated } };
  },
});
