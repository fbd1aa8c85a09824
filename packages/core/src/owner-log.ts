import { MAX_WAIT_SECONDS } from './kernel/limits.ts';
import type { StoredEvent } from './kernel/log/event.ts';
import { type LoggedEvent, readEvent } from './kernel/log/event.ts';
import { type LogReport, verifyLog } from './kernel/log/verify-log.ts';
import { randomText } from './kernel/token/token.ts';
import { type OwnSession, ownListing, ownState, unknownSession } from './own-session.ts';

async function* storedEvents({ engine, sessionId }: OwnSession, from: number, to: number): AsyncGenerator<StoredEvent> {
  const { storage } = engine;
  for (let first = from; first <= to; ) {
    const events = await storage.events(sessionId, first, to);
    yield* events;
    const last = events.at(-1);
    if (!last) return;
    first = last.seq + 1;
  }
}

/**
 * The log as JSON lines, each with the exact stored text of an event and its hash. A broken log is exported as it is stored.
 */
export async function* exportLog(own: OwnSession): AsyncGenerator<string> {
  const { seq } = await ownListing(own);
  for await (const { hash, body } of storedEvents(own, 1, seq)) {
    yield `${JSON.stringify({ hash, event: body })}\n`;
  }
}

/** Verifies the stored log up to the head that the storage names now. */
export async function verifyStoredLog(own: OwnSession): Promise<LogReport> {
  await ownListing(own);
  const { head } = (await own.engine.storage.fetch(own.sessionId, 0, 0)) ?? unknownSession(own.sessionId);
  return await verifyLog(storedEvents(own, 1, head.seq), head);
}

export interface WatchOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** All events after the number `after`: the stored ones, then each new one. Ends when `signal` aborts or the service drains. */
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
      for await (const stored of storedEvents(own, last + 1, head.seq)) yield readEvent(stored);
      last = Math.max(last, head.seq);
      const seen = last;
      const found = await waiter.until((state) => state.head.seq > seen, MAX_WAIT_SECONDS * 1000, signal);
      if (found === null && engine.waiters.isDraining()) return;
    } finally {
      waiter.release();
    }
  }
}
