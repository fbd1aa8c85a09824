import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const noticeEvents = defineEvents({
  /** A notice was delivered: a webhook receiver accepted something that waits for the owner. */
  'notice.delivered': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      wait_id: z.string(),
      number: z.int().describe('1 for the first time that it waited, 2 for the second.'),
      unbroken: z.boolean().describe('False when the wait ended while the notice was being delivered.'),
    }),
  },
});
