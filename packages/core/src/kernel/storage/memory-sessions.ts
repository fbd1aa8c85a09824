import type { Head, StoredEvent } from '../log/event.ts';
import type { Agent } from '../roles.ts';
import type { ListedSession, Listing } from './listing.ts';
import type { PlacedSession } from './memory-inbox.ts';
import { assertStorableText } from './storable.ts';
import type { ListPage, OwnerUse, StoredCall, StoredSnapshot } from './storage.ts';

export interface KeptSession extends PlacedSession {
  readonly events: StoredEvent[];
  readonly documents: Map<string, string>;
  /** Snapshots by fold version. */
  readonly snapshots: Map<number, StoredSnapshot>;
  readonly calls: Map<Agent, StoredCall>;
  head: Head;
  listing: Listing;
}

type Sessions = ReadonlyMap<string, KeptSession>;

/** The session in the list of its owner; null if the owner has no such session. */
export function findOwn(sessions: Sessions, ownerId: string, sessionId: string): ListedSession | null {
  const session = sessions.get(sessionId);
  if (session?.ownerId !== ownerId) return null;
  return { sessionId, ...session.listing, seq: session.head.seq };
}

export function listOwn(sessions: Sessions, ownerId: string, { limit, after }: ListPage): readonly ListedSession[] {
  const own = [...sessions].filter(([, session]) => session.ownerId === ownerId);
  const listed = own.map(([sessionId, { listing, head }]) => ({ sessionId, ...listing, seq: head.seq }));
  const sorted = listed.sort(newestFirst);
  if (after === undefined) return sorted.slice(0, limit);
  const start = sorted.findIndex(({ sessionId }) => sessionId === after);
  return start < 0 ? [] : sorted.slice(start + 1, start + 1 + limit);
}

export function usageOf(sessions: Sessions, ownerId: string): OwnerUse {
  assertStorableText('an owner id', ownerId);
  const own = [...sessions.values()].filter((session) => session.ownerId === ownerId);
  const texts = own.flatMap(({ events, documents }) => [...events.map(({ body }) => body), ...documents.values()]);
  return {
    sessions: own.length,
    events: own.reduce((count, { head }) => count + head.seq, 0),
    bytes: texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0),
  };
}

function newestFirst(a: ListedSession, b: ListedSession): number {
  const age = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  if (age !== 0) return age;
  return b.sessionId > a.sessionId ? 1 : -1;
}
