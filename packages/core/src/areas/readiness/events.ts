import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { BuilderRole } from '../fields.ts';

export const READINESS_VERDICTS = ['READY_TO_CODE', 'BLOCKED'] as const;

export const readinessEvents = defineEvents({
  'readiness.submitted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    // Agents answer independently: each reads the other's answers only once both are ready.
    withheld: ['answers'],
    data: z.strictObject({
      manifest_id: z.string(),
      revision_id: z.string(),
      verdict: z.enum(READINESS_VERDICTS),
      blockers: z.array(z.string()),
      answers: z.array(z.strictObject({ question_id: z.string(), answer: z.string() })),
      /** The reasons for which READY_TO_CODE would have been refused; only a BLOCKED report can have some. */
      mismatches: z.array(z.string()),
    }),
  },
  'readiness.checked': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    omit: ['report'],
    data: z.strictObject({
      manifest_id: z.string(),
      /** The builder whose answers the actor checked. */
      answers_of: BuilderRole,
      /** Number of the event that holds the answers. */
      report: z.int(),
      /** Ids of the questions whose answers the actor confirmed, and of those whose answers a finding of the actor disputes. */
      confirmed: z.array(z.string()),
      disputed: z.array(z.string()),
    }),
  },
});
