import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const feedEvents = defineEvents({
  /**
   * Stores the cursor up to which the moderator has acknowledged events. Only the owner sees this event, because
   * otherwise each acknowledgement would add an event to the moderator's feed.
   */
  'events.acknowledged': {
    seenBy: 'owner',
    message: false,
    silent: true,
    data: z.strictObject({ cursor: z.int() }),
  },
});
