import { z } from 'zod';
import { defineEvents, ownersOnly } from '../../kernel/log/event-catalog.ts';

export const feedEvents = defineEvents({
  /**
   * Stores the cursor up to which the moderator has acknowledged events. Only the owner sees this event, because
   * otherwise each acknowledgement would add an event to the moderator's feed.
   */
  'events.acknowledged': ownersOnly({ cursor: z.int() }, { silent: true }),
});
