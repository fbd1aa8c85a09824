import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';

export const noticeEvents = defineEvents({
  /** Bookkeeping: a receiver outside has taken in what waits for the owner. */
  'notice.delivered': {
    v: 1,
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      wait_id: z.string(),
      number: z.int().describe('1 for the first time that it waited, 2 for the second.'),
      unbroken: z.boolean().describe('False when it ceased to wait while the notice was under way.'),
    }),
  },
});
