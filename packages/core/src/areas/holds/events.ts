import { z } from 'zod';
import { defineEvents, message } from '../../kernel/log/event-catalog.ts';

/** The possible causes of the release of a hold. FINDING_CLOSED: the finding to which the hold belongs was closed. */
export const RELEASE_CAUSES = ['MODERATOR', 'OWNER', 'FINDING_CLOSED'] as const;

const HoldRef = { hold_id: z.string(), finding_id: z.string() };

export const holdEvents = defineEvents({
  'hold.opened': message({ ...HoldRef, reason: z.string() }),
  'hold.released': message({ ...HoldRef, cause: z.enum(RELEASE_CAUSES), reason: z.string().optional() }),
});
