import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const feedEvents = defineEvents({
  /**
   * Stores the cursor up to which the moderator has acknowledged events. Only the owner sees this event, so an
   * acknowledgement adds nothing to the feed.
   */
  'events.acknowledged': { v: 1, seenBy: 'owner', message: false, data: z.strictObject({ cursor: z.int() }) },
});
