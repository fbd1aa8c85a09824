import type { z } from 'zod';
import type { LoggedEvent } from '../kernel/log/event.ts';
import { brokenLog } from '../kernel/log/event.ts';
import type { EventKind } from '../kernel/log/event-catalog.ts';

/**
 * Returns the data of the event with the number `seq` among the loaded events. The operation's `reads` must have named
 * that number.
 * @param kind the kind that the event must have
 * @throws ParleyError LOG_BROKEN if no loaded event has this kind and this number
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
