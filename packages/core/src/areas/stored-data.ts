import type { z } from 'zod';
import type { LoggedEvent } from '../kernel/log/event.ts';
import type { EventKind } from '../kernel/log/event-catalog.ts';
import { brokenLog } from '../kernel/log/stored-event.ts';

/**
 * The data of an event that the state names by its number, from those that an operation asked for by `reads`.
 *
 * @param kind what the state says that the event is
 * @throws ParleyError LOG_BROKEN when the log holds no such event there
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
