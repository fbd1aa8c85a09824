import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const readingEvents = defineEvents({
  /** Stores that the owner has read sections of a contract revision. No agent sees this event. */
  'reading.recorded': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      revision_id: z.string(),
      /**
       * The sections that were read, each with the SHA-256 of its JSON text. If another revision has a section of the same
       * name and hash, that section counts as read too.
       */
      sections: z.array(z.strictObject({ section: z.string(), sha256: z.string() })),
      /** Who read the sections: the id of the owner. */
      reader: z.string(),
    }),
  },
});
