import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const MODERATOR_VERDICTS = ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] as const;

const Dimension = z.strictObject({ name: z.string(), score: z.int(), note: z.string().optional() });

export const moderatorReviewEvents = defineEvents({
  'moderator_review.submitted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({
      revision_id: z.string(),
      content_hash: z.string(),
      verdict: z.enum(MODERATOR_VERDICTS),
      summary: z.string(),
      dimensions: z.array(Dimension),
    }),
  },
  'moderator_review.overridden': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    data: z.strictObject({ revision_id: z.string(), reason: z.string() }),
  },
});
