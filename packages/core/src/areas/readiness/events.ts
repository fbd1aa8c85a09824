import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { BuilderRole } from '../fields.ts';

export const READINESS_VERDICTS = ['READY_TO_CODE', 'BLOCKED'] as const;

export const readinessEvents = defineEvents({
  'readiness.submitted': message(
    {
      manifest_id: z.string(),
      revision_id: z.string(),
      verdict: z.enum(READINESS_VERDICTS),
      blockers: z.array(z.string()),
      answers: z.array(z.strictObject({ question_id: z.string(), answer: z.string() })),
      /**
       * The reasons for which READY_TO_CODE would have been refused with the same answers. Empty unless the verdict is
       * BLOCKED.
       */
      mismatches: z.array(z.string()),
    },
    {
      // Each builder must answer without reading the other's answers, so agents can read no answers before both builders
      // are ready.
      withheld: ['answers'],
    },
  ),
  'readiness.checked': message(
    {
      manifest_id: z.string(),
      /** The builder whose answers the actor of the event has checked. */
      answers_of: BuilderRole,
      /** Number of the event that contains the checked answers. */
      report: z.int(),
      /**
       * Ids of the questions whose answers the actor has confirmed, and ids of the questions whose answers an open
       * finding of the actor disputes.
       */
      confirmed: z.array(z.string()),
      disputed: z.array(z.string()),
    },
    { omit: ['report'] },
  ),
});
