import { MAX_WAIT_SECONDS } from '../kernel/limits.ts';
import { type LoggedEvent, type LogReport, readEvent, verifyLog } from '../kernel/log/event.ts';
import { storedEvents } from '../kernel/storage/storable.ts';
import { randomText } from '../kernel/token/token.ts';
import { type OwnSession, ownListing, ownState, pagesOf } from './own-session.ts';
import { logUpTo, storedHead } from './retention.ts';

/**
 * The log as JSON lines. Each line contains the exact stored text of an event, and its hash. A broken log is exported unchanged. If
 * the session is erased meanwhile, lines may be missing: the iteration then ends with an error.
 */
export async function* exportLog(own: OwnSession): AsyncGenerator<string> {
  const { seq } = await ownListing(own);
  yield* logUpTo(own, { seq });
}

/** Verifies the stored log up to its present head. */
export async function verifyStoredLog(own: OwnSession): Promise<LogReport> {
  const head = await storedHead(own);
  return await verifyLog(storedEvents(pagesOf(own), 1, head.seq), head, own.sessionId);
}

export interface WatchOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/**
 * All events after the number `after`: first the stored events, then each new event. Ends when `signal` aborts, and when
 * the service stops.
 */
export async function* watchLog(
  own: OwnSession,
  { after = 0, signal }: WatchOptions = {},
): AsyncGenerator<LoggedEvent> {
  const { engine, sessionId } = own;
  const holder = `watch:${randomText(engine.random, 12)}`;
  for (let last = after; !signal?.aborted; ) {
    const waiter = engine.waiters.register(sessionId, holder, Number.POSITIVE_INFINITY);
    try {
      const { head } = await ownState(own);
      for await (const stored of storedEvents(pagesOf(own), last + 1, head.seq)) yield readEvent(stored);
      last = Math.max(last, head.seq);
      const seen = last;
      const found = await waiter.until((state) => state.head.seq > seen, MAX_WAIT_SECONDS * 1000, signal);
      if (found === null && engine.waiters.isDraining()) return;
    } finally {
      waiter.release();
    }
  }
}
