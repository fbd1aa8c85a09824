import { z } from 'zod';
import { defineEvents, ownersOnly } from '../../kernel/log/event-catalog.ts';

export const readingEvents = defineEvents({
  'reading.recorded': ownersOnly({
    revision_id: z.string(),
    /**
     * The sections that were read, each with the SHA-256 of its JSON text. A section with the same name and hash in
     * another revision counts as read too.
     */
    sections: z.array(z.strictObject({ section: z.string(), sha256: z.string() })),
    /** The id of the owner. */
    reader: z.string(),
  }),
});
