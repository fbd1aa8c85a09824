import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';

export const REVIEW_VERDICTS = ['APPROVE', 'REQUEST_CHANGES'] as const;

export const reviewEvents = defineEvents({
  'review.submitted': message({
    revision_id: z.string(),
    content_hash: z.string(),
    verdict: z.enum(REVIEW_VERDICTS),
    caveats: z.array(z.string()),
    /** Ids of the findings for the caveats of an APPROVE, in the order of the caveats. Absent in old events. */
    findings: z.array(z.string()).optional(),
  }),
});

export const MODERATOR_VERDICTS = ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] as const;

const Dimension = z.strictObject({ name: z.string(), score: z.int(), note: z.string().optional() });

export const moderatorReviewEvents = defineEvents({
  'moderator_review.submitted': message({
    revision_id: z.string(),
    content_hash: z.string(),
    verdict: z.enum(MODERATOR_VERDICTS),
    summary: z.string(),
    dimensions: z.array(Dimension),
  }),
  'moderator_review.overridden': message({ revision_id: z.string(), reason: z.string() }),
});
