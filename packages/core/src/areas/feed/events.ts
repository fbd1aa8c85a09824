import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const feedEvents = defineEvents({
  /** The moderator's acknowledgements. No role sees these events, so that acknowledging adds nothing to the feed. */
  'events.acknowledged': { v: 1, seenBy: 'owner', message: false, data: z.strictObject({ cursor: z.int() }) },
});
