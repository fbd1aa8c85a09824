import type { Append, Listing, LogTail, NewSession, RateCount, StoredDocument, StoredEvent } from '@parley/core';
import { createSnapshotShelf, type SnapshotShelf } from './snapshot-shelf.ts';

export interface StoreListener {
  committed(sessionId: string, events: readonly StoredEvent[]): void;
  rolledBack(sessionId: string, lost: readonly StoredEvent[]): void;
}

interface KeptSession {
  readonly ownerId: string;
  listing: Listing;
  events: StoredEvent[];
  commits: Commit[];
}

interface Commit {
  readonly events: number;
  readonly documents: readonly StoredDocument[];
}

/** The database of a run. Every call is atomic and takes no time. */
export interface TrueStore {
  readonly secret: string;
  create(session: NewSession, events: readonly StoredEvent[], documents: readonly StoredDocument[]): void;
  append(append: Append): 'appended' | 'refused';
  fetch(sessionId: string, after: number, skipIfMoreThan?: number): LogTail | null;
  readonly snapshots: SnapshotShelf;
  log(sessionId: string): readonly StoredEvent[];
  document(sessionId: string, sha256: string): string | null;
  countWindow(windowMs: number, counts: readonly RateCount[]): readonly RateCount[];
  /** Removes the last commits, like a failover to a standby that lacks them. Returns the number of lost events. */
  rollback(sessionId: string, commits: number): number;
  takeovers(): number;
}

export interface StoreOptions {
  readonly secret: string;
  /** The clock of the database, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly listener: StoreListener;
}

type Kept = Pick<Append, 'events' | 'documents'>;

const EVENTS_PER_READ = 500;

export function createTrueStore({ secret, now, listener }: StoreOptions): TrueStore {
  const sessions = new Map<string, KeptSession>();
  const windows = new Map<string, number>();
  let takeovers = 0;
  const keep = (sessionId: string, session: KeptSession, { events, documents }: Kept): void => {
    session.events.push(...events);
    session.commits.push({ events: events.length, documents });
    listener.committed(sessionId, events);
  };
  return {
    secret,
    create({ sessionId, ownerId, listing }, events, documents) {
      if (sessions.has(sessionId)) throw new Error(`Session ${sessionId} exists.`);
      const session: KeptSession = { ownerId, listing, events: [], commits: [] };
      sessions.set(sessionId, session);
      keep(sessionId, session, { events, documents });
    },
    append({ sessionId, expected, events, documents, listing }) {
      const session = sessions.get(sessionId);
      const head = session && headOf(session.events);
      if (!session || head?.seq !== expected.seq || head.hash !== expected.hash) return 'refused';
      session.listing = { ...session.listing, ...listing };
      keep(sessionId, session, { events, documents });
      return 'appended';
    },
    snapshots: createSnapshotShelf(secret),
    fetch(sessionId, after, skipIfMoreThan = EVENTS_PER_READ) {
      const session = sessions.get(sessionId);
      if (!session) return null;
      const isTooLong = session.events.length - after > skipIfMoreThan;
      const events = isTooLong ? [] : session.events.slice(after, after + EVENTS_PER_READ);
      return { head: headOf(session.events), events, more: after + events.length < session.events.length };
    },
    log: (sessionId) => sessions.get(sessionId)?.events ?? [],
    document(sessionId, sha256) {
      const kept = (sessions.get(sessionId)?.commits ?? []).flatMap(({ documents }) => documents);
      return kept.find((document) => document.sha256 === sha256)?.body ?? null;
    },
    countWindow: (windowMs, counts) =>
      counts.map(({ bucket, n }) => {
        const key = `${Math.floor(now() / windowMs)} ${bucket}`;
        const total = (windows.get(key) ?? 0) + n;
        windows.set(key, total);
        return { bucket, n: total };
      }),
    takeovers: () => takeovers,
    rollback(sessionId, commits) {
      takeovers += 1;
      const session = sessions.get(sessionId);
      if (!session) return 0;
      const undone = session.commits.splice(Math.max(1, session.commits.length - commits));
      const lost = undone.reduce((sum, { events }) => sum + events, 0);
      const gone = session.events.splice(session.events.length - lost, lost);
      if (lost > 0) listener.rolledBack(sessionId, gone);
      return lost;
    },
  };
}

function headOf(events: readonly StoredEvent[]): { seq: number; hash: string } {
  const { seq, hash } = events.at(-1) ?? { seq: 0, hash: '0'.repeat(64) };
  return { seq, hash };
}
