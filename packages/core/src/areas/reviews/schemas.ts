import { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { isOfLatest } from './rules.ts';
import { REVIEW_VERDICTS } from './state.ts';

export const ReviewView = z.strictObject({
  by: BuilderRole,
  revision_id: RevisionId,
  content_hash: z.string(),
  verdict: z.enum(REVIEW_VERDICTS),
  caveats: z.array(z.string()),
  outdated: z
    .boolean()
    .describe('True when it counts no more: a newer revision exists, or the owner sent this one back.'),
  submitted_at: At,
});

/** Each builder's latest review, of whatever revision. */
export const viewReviews = ({ reviews, contract: { latest } }: SessionState): z.output<typeof ReviewView>[] =>
  BUILDERS.flatMap((builder) => {
    const review = reviews[builder];
    if (!review) return [];
    const { by, revisionId, contentHash, verdict, caveats, at } = review;
    return [
      {
        by,
        revision_id: revisionId,
        content_hash: contentHash,
        verdict,
        caveats: [...caveats],
        outdated: !isOfLatest(review, latest?.revisionId),
        submitted_at: at,
      },
    ];
  });
