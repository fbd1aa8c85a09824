import { z } from 'zod';
import { defineEvents, ownersOnly } from '../../kernel/log/event-catalog.ts';

export const noticeEvents = defineEvents({
  /** Stores that the receiver of a webhook has accepted a notice about a task that waits for the owner. */
  'notice.delivered': ownersOnly(
    {
      wait_id: z.string(),
      number: z
        .int()
        .describe('1 if the task waited for the first time, 2 if it waited for the second time, and so on.'),
      unbroken: z.boolean().describe('False when the wait ended while the notice was being delivered.'),
    },
    { silent: true },
  ),
});
