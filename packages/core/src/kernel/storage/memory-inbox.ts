import type { Head } from '../log/event.ts';
import type { Listing } from './listing.ts';
import type { InboxEntry, InboxNote, InboxPage, InboxPlace, StoredInbox } from './stored-inbox.ts';

/** The members of a session that `createMemoryInbox` reads. */
export interface PlacedSession {
  readonly ownerId: string;
  readonly listing: Listing;
  readonly head: Head;
  /** The last place that was stored, and the number of the last event at that time. */
  noted?: { readonly seq: number; readonly place: InboxPlace | null } | undefined;
}

/** The inbox of `MemoryStorage`. Each call reads all sessions of the owner. */
export function createMemoryInbox(sessions: ReadonlyMap<string, PlacedSession>): StoredInbox {
  const entriesOf = (ownerId: string): InboxEntry[] =>
    [...sessions].flatMap(([sessionId, session]) => {
      const place = placeOf(session);
      if (session.ownerId !== ownerId || place === null) return [];
      return [{ sessionId, ...session.listing, ...session.head, place: place ?? null }];
    });
  return {
    async count(ownerId, dueAt) {
      const entries = entriesOf(ownerId).filter(({ place }) => place === null || isDue(place, dueAt));
      return ([0, 1, 2, 3, 4] as const).flatMap((rank) => {
        const own = entries.filter(({ place }) => (place?.rank ?? 0) === rank);
        const tasks = own.reduce((sum, { place }) => sum + (place?.tasks ?? 0), 0);
        return own.length > 0 ? [{ rank, sessions: own.length, tasks }] : [];
      });
    },
    async page(ownerId, { limit, dueAt, after }) {
      return entriesOf(ownerId)
        .filter(({ place }) => place !== null && isDue(place, dueAt))
        .filter((entry) => !after || compare(positionOf(entry), after) > 0)
        .sort((one, other) => compare(positionOf(one), positionOf(other)))
        .slice(0, limit);
    },
    unplaced: async (ownerId, limit) =>
      entriesOf(ownerId)
        .filter(({ place }) => place === null)
        .slice(0, limit),
    note: async (notes) => notes.forEach((note) => void store(sessions, note)),
    async noteBroken(sessionId) {
      const session = sessions.get(sessionId);
      if (!session || placeOf(session)?.rank === 1) return;
      const place = { rank: 1, at: session.listing.createdAt, tasks: 1 } as const;
      session.noted = { seq: session.head.seq, place };
    },
  };
}

/** The place of a session: null if nothing in the session can wait for the owner, undefined if it is not known. */
const placeOf = ({ noted, head }: PlacedSession): InboxPlace | null | undefined =>
  noted?.seq === head.seq ? noted.place : undefined;

const isDue = ({ rank, at }: InboxPlace, dueAt: string): boolean => rank !== 4 || at <= dueAt;

type Position = Required<InboxPage>['after'];

const positionOf = ({ sessionId, place }: InboxEntry): Position => ({
  rank: place?.rank ?? 1,
  at: place?.at ?? '',
  sessionId,
});

function compare(one: Position, other: Position): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.sessionId < other.sessionId ? -1 : Number(one.sessionId > other.sessionId);
}

function store(sessions: ReadonlyMap<string, PlacedSession>, { sessionId, head, place }: InboxNote): void {
  const session = sessions.get(sessionId);
  if (session?.head.seq === head.seq && session.head.hash === head.hash) session.noted = { seq: head.seq, place };
}
