import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { emptyTable, type Table, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';

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

/** What the owner was told by notices. Empty, and without cost, where none are sent. */
export interface Notices {
  /** How often the owner was told of each wait, by its id. */
  readonly told: Table<number>;
  /** Those that have waited without a break since the owner was told: they are told again once they have ceased. */
  readonly standing: readonly string[];
}

export const emptyNotices: Notices = { told: emptyTable(), standing: [] };

export function evolveNotices(notices: Notices, event: SessionEvent): Notices {
  if (event.kind !== 'notice.delivered') return notices;
  const { wait_id, number, unbroken } = event.data;
  const others = notices.standing.filter((id) => id !== wait_id);
  return {
    told: withEntry(notices.told, wait_id, number),
    standing: unbroken ? [...others, wait_id] : others,
  };
}
