import type { z } from 'zod';
import type { LoggedEvent } from '../kernel/log/event.ts';
import type { EventKind } from '../kernel/log/event-catalog.ts';
import { brokenLog } from '../kernel/log/stored-event.ts';

/**
 * Data of a stored event that the state refers to by number; the event was loaded by the operation's `reads`.
 * @param kind the kind that the state expects
 * @throws ParleyError LOG_BROKEN if the log has no such event at that number
 */
export function storedData<D extends z.ZodType>(
  loaded: readonly LoggedEvent[],
  seq: number,
  { data: schema }: EventKind<D>,
): z.output<D> {
  const parsed = schema.safeParse(loaded.find((event) => event.seq === seq)?.data);
  if (!parsed.success) throw brokenLog(seq, parsed.error);
  return parsed.data;
}
