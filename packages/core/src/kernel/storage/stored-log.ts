import type { StoredEvent } from '../log/event.ts';
import type { Storage } from './storage.ts';

interface LogPlace {
  readonly engine: { readonly storage: Pick<Storage, 'events'> };
  readonly sessionId: string;
}

/** The stored events of a log from the number `from` to the number `to`, both included. */
export async function* storedEvents(
  { engine, sessionId }: LogPlace,
  from: number,
  to: number,
): AsyncGenerator<StoredEvent> {
  const { storage } = engine;
  for (let first = from; first <= to; ) {
    const events = await storage.events(sessionId, first, to);
    yield* events;
    const last = events.at(-1);
    if (!last) return;
    first = last.seq + 1;
  }
}

/** The events of a log up to the number `to`, as JSON lines. */
export async function* logLines(place: LogPlace, to: number): AsyncGenerator<string> {
  for await (const { hash, body } of storedEvents(place, 1, to)) {
    yield `${JSON.stringify({ hash, event: body })}\n`;
  }
}
