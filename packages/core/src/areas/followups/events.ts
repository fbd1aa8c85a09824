import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';
import { BuilderRole, RecordRef } from '../fields.ts';

export const FOLLOWUP_KINDS = ['fault', 'deviation', 'question'] as const;

export const followupEvents = defineEvents({
  'followup.noted': message({
    followup_id: z.string(),
    /** The builder in whose repository the work has to be done. */
    side: BuilderRole,
    kind: z.enum(FOLLOWUP_KINDS),
    text: z.string(),
    /** The turn, the attempt or the action with which an agent noted it. Absent if the owner noted it. */
    origin: RecordRef.optional(),
  }),
});
