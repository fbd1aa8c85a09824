import type { StoredEvent } from '../log/event.ts';
import {
  type Append,
  CHANGING_COLUMNS,
  LISTING_COLUMNS,
  type Listing,
  type NewSession,
  type Snapshot,
  type Storage,
  type StoredDocument,
} from './storage.ts';

/**
 * The character U+001E, with which adapters may join event bodies. No stored body contains it: JSON escapes it, and the functions
 * below refuse a body that contains it.
 */
export const BODY_SEPARATOR = '\u001e';

/** Whether every storage can store a text unchanged. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Throws for a text that some storage cannot store unchanged. */
export function assertStorableText(what: string, text: string): void {
  if (!isStorableText(text)) {
    throw new TypeError(`${what} holds U+0000 or a lone surrogate and cannot be stored`);
  }
}

function assertStorableEvents(after: number, events: readonly StoredEvent[]): void {
  for (const [index, { seq, hash, body }] of events.entries()) {
    if (seq !== after + 1 + index) throw new TypeError(`event ${after + 1 + index} is expected, not ${seq}`);
    if (body === '' || body.includes(BODY_SEPARATOR)) throw new TypeError('an event body is empty or holds U+001E');
    assertStorableText('an event hash', hash);
    assertStorableText('an event body', body);
  }
}

function assertStorableDocuments(documents: readonly StoredDocument[]): void {
  for (const { sha256, body } of documents) {
    assertStorableText('a document hash', sha256);
    assertStorableText('a document', body);
  }
}

function assertStorableListing(listing: Listing, columns: readonly (typeof LISTING_COLUMNS)[number][]): void {
  for (const { member, isTime } of columns) {
    if (!isTime) assertStorableText('a session field', listing[member]);
    else if (Number.isNaN(Date.parse(listing[member]))) throw new TypeError(`${member} is not a valid time`);
  }
}

/**
 * Throws for a `create` that storages must not accept: some storage cannot store one of its texts, the time of creation
 * is not valid, or the events are not numbered from 1.
 */
export function assertStorableSession(
  { sessionId, ownerId, listing }: NewSession,
  events: readonly StoredEvent[],
  documents: readonly StoredDocument[],
): void {
  for (const text of [sessionId, ownerId]) assertStorableText('a session field', text);
  assertStorableListing(listing, LISTING_COLUMNS);
  assertStorableEvents(0, events);
  assertStorableDocuments(documents);
}

/**
 * Throws for an `append` that storages must not accept: it has no events, the event numbers have a gap, or some storage
 * cannot store one of its texts.
 */
export function assertStorableAppend({ sessionId, expected, events, documents, listing }: Append): void {
  for (const text of [sessionId, expected.hash]) assertStorableText('a session field', text);
  assertStorableListing(listing, CHANGING_COLUMNS);
  if (events.length === 0) throw new TypeError('an append needs at least one event');
  assertStorableEvents(expected.seq, events);
  assertStorableDocuments(documents);
}

/**
 * Throws for a `saveSnapshot` that storages must not accept: some storage cannot store one of its texts, or the fold version
 * is below 1.
 */
export function assertStorableSnapshot({ sessionId, hash, body, foldVersion }: Snapshot): void {
  if (!(foldVersion >= 1)) throw new TypeError(`the fold version is ${foldVersion}; it must be at least 1`);
  assertStorableText('a session id', sessionId);
  assertStorableText('an event hash', hash);
  assertStorableText('a snapshot', body);
}

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
