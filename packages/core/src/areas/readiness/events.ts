import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const READINESS_VERDICTS = ['READY_TO_CODE', 'BLOCKED'] as const;

export const readinessEvents = defineEvents({
  'readiness.submitted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    // Each agent answers for itself: the other one reads the answers when both are ready.
    withheld: ['answers'],
    data: z.strictObject({
      manifest_id: z.string(),
      revision_id: z.string(),
      verdict: z.enum(READINESS_VERDICTS),
      blockers: z.array(z.string()),
      answers: z.array(z.strictObject({ question_id: z.string(), answer: z.string() })),
      /** What would have refused READY_TO_CODE; a BLOCKED report may hold some. */
      mismatches: z.array(z.string()),
    }),
  },
});
