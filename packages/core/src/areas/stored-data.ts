import type { z } from 'zod';
import type { LoggedEvent } from '../kernel/log/event.ts';
import type { EventKind } from '../kernel/log/event-catalog.ts';
import { brokenLog } from '../kernel/log/stored-event.ts';

/**
 * The data of the stored event whose number the state contains. The operation's `reads` must have named that number.
 * @param kind the kind that the event must have
 * @throws ParleyError LOG_BROKEN if the log has no event of this kind at that number
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
