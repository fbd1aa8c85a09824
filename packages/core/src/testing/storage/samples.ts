import { createHash, randomBytes } from 'node:crypto';
import type { Head, StoredEvent } from '../../kernel/log/event.ts';
import type { Append, Listing, NewSession, Storage, StoredDocument } from '../../kernel/storage/storage.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const newId = (): string => `s${randomBytes(10).toString('hex')}`;

export const documentOf = (body: string): StoredDocument => ({ sha256: sha256(body), body });

export function eventAfter(head: Head, text = 'x'): StoredEvent {
  const body = JSON.stringify({ seq: head.seq + 1, text, prev_hash: head.hash });
  return { seq: head.seq + 1, hash: sha256(body), body };
}

/** One event for each text. The first event follows `head`; each further event follows the previous event. */
export function eventsAfter(head: Head, texts: readonly string[]): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  for (const text of texts) events.push(eventAfter(events.at(-1) ?? head, text));
  return events;
}

export const headOf = ({ seq, hash }: Head): Head => ({ seq, hash });

const LISTING: Listing = {
  title: 'Title',
  status: 'DRAFT',
  phase: 'PLANNING',
  createdAt: '2026-01-02T03:04:05.678Z',
};

/** The listing of a sample session that has begun. */
export const ACTIVE: Listing = { ...LISTING, status: 'ACTIVE' };

export function sessionOf(sessionId: string, ownerId = 'owner', createdAt = LISTING.createdAt): NewSession {
  return { sessionId, ownerId, listing: { ...LISTING, createdAt } };
}

export function appendOf(sessionId: string, expected: Head, text?: string): Append {
  return { sessionId, expected, events: [eventAfter(expected, text)], documents: [], listing: ACTIVE };
}

/** Stores a session of one event. */
export async function startSession(storage: Storage, sessionId = newId()): Promise<{ sessionId: string; head: Head }> {
  const first = eventAfter({ seq: 0, hash: '0'.repeat(64) }, 'first');
  await storage.create(sessionOf(sessionId), [first], []);
  return { sessionId, head: headOf(first) };
}

/** Appends events in one append, so that the log has `length` events. Returns the new head. */
export async function growSession(storage: Storage, sessionId: string, from: Head, length: number): Promise<Head> {
  const texts = Array.from({ length: length - from.seq }, (_, index) => `grown ${index}`);
  const events = eventsAfter(from, texts);
  const answer = await storage.append({ sessionId, expected: from, events, documents: [], listing: ACTIVE });
  if (answer === 'refused') throw new Error('the sample session did not grow');
  return headOf(events.at(-1) ?? from);
}

export async function growLarge(storage: Storage, sessionId: string, from: Head): Promise<void> {
  const events = eventsAfter(
    from,
    Array.from({ length: 6 }, () => 'x'.repeat(1_200_000)),
  );
  await storage.append({ sessionId, expected: from, events, documents: [], listing: ACTIVE });
}

/** A storage under test, and functions that open the same data again. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** Opens another handle on the same data, as a second process would. Absent if the storage allows only one process. */
  sibling?(): Promise<Storage>;
  /** Opens the same data again after `storage` was closed. Absent if the storage loses its data when it is closed. */
  reopen?(): Promise<Storage>;
  /** Removes everything that the test has created. Called last, after the storage was closed. */
  close?(): Promise<void>;
}

/** Returns the storage under test. All test cases share this storage. */
export type Opened = () => OpenedStorage;
