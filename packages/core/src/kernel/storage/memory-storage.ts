import { randomBytes } from 'node:crypto';
import { BYTES_PER_READ, EVENTS_PER_READ } from '../limits.ts';
import { GENESIS, type Head, type StoredEvent } from '../log/event.ts';
import type { Agent } from '../roles.ts';
import { assertStorableAppend, assertStorableSession, assertStorableSnapshot, assertStorableText } from './storable.ts';
import {
  type Append,
  CHANGING_COLUMNS,
  type InboxEntry,
  type InboxNote,
  type InboxPage,
  type InboxPlace,
  type ListedSession,
  type Listing,
  type ListPage,
  type LogTail,
  type NewSession,
  type OwnerUse,
  ownerEventsIn,
  type RateCount,
  type Snapshot,
  type Storage,
  StorageUnavailable,
  type StoredCall,
  type StoredDocument,
  type StoredInbox,
  type StoredSnapshot,
} from './storage.ts';

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

interface KeptSession extends PlacedSession {
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
function findOwn(sessions: Sessions, ownerId: string, sessionId: string): ListedSession | null {
  const session = sessions.get(sessionId);
  if (session?.ownerId !== ownerId) return null;
  return { sessionId, ...session.listing, seq: session.head.seq };
}

function listOwn(sessions: Sessions, ownerId: string, { limit, after }: ListPage): readonly ListedSession[] {
  const own = [...sessions].filter(([, session]) => session.ownerId === ownerId);
  const listed = own.map(([sessionId, { listing, head }]) => ({ sessionId, ...listing, seq: head.seq }));
  const sorted = listed.sort(newestFirst);
  if (after === undefined) return sorted.slice(0, limit);
  const start = sorted.findIndex(({ sessionId }) => sessionId === after);
  return start < 0 ? [] : sorted.slice(start + 1, start + 1 + limit);
}

function usageOf(sessions: Sessions, ownerId: string): OwnerUse {
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

/** The counters of the current window, for one window length. */
interface RateWindow {
  readonly number: number;
  readonly counts: Map<string, number>;
}

interface Counting {
  readonly now: () => number;
  /** The current windows, by window length in milliseconds. */
  readonly windows: Map<number, RateWindow>;
}

function countWindow(memory: Counting, windowMs: number, counts: readonly RateCount[]): readonly RateCount[] {
  for (const { bucket } of counts) assertStorableText('a bucket', bucket);
  const number = Math.floor(memory.now() / windowMs);
  const known = memory.windows.get(windowMs);
  const window = known?.number === number ? known : { number, counts: new Map<string, number>() };
  memory.windows.set(windowMs, window);
  return counts.map(({ bucket, n }) => {
    const total = (window.counts.get(bucket) ?? 0) + n;
    window.counts.set(bucket, total);
    return { bucket, n: total };
  });
}

type HintListener = (sessionIds: readonly string[]) => void;

interface Memory {
  readonly now: () => number;
  readonly secret: string;
  readonly sessions: Map<string, KeptSession>;
  readonly windows: Map<number, RateWindow>;
  readonly listeners: Map<HintListener, symbol>;
}

/** A storage in memory, of which `sibling` opens further handles. */
export interface MemoryStorage extends Storage {
  /** Another handle on the same data, as a second process would have. Closing a handle does not close the others. */
  sibling(): MemoryStorage;
}

/**
 * Keeps logs in memory. Like the storage of a database, it appends only to an unchanged head, lets one of two racing appends
 * win, and refuses characters that PostgreSQL cannot store. All data is lost when the process ends. Passes `describeStorage` of `@parley/core/testing`.
 *
 * @param options.now the clock of `countWindow`, in milliseconds since the epoch
 */
export function createMemoryStorage({ now = Date.now }: { readonly now?: () => number } = {}): MemoryStorage {
  const secret = randomBytes(32).toString('hex');
  return openHandle({ now, secret, sessions: new Map(), windows: new Map(), listeners: new Map() });
}

function openHandle(memory: Memory): MemoryStorage {
  const handle = Symbol('handle');
  let isClosed = false;
  const run = async <T>(work: () => T): Promise<Awaited<T>> => {
    if (isClosed) throw new StorageUnavailable('The storage is closed.');
    return await work();
  };
  return {
    create: (session, events, documents) => run(() => create(memory, session, events, documents)),
    append: (request) => run(() => append(memory, request)),
    fetch: (sessionId, after, skipIfMoreThan) => run(() => fetch(memory, { sessionId, after, skipIfMoreThan })),
    events: (sessionId, from, to, maxBytes) => run(() => readEvents(memory, { sessionId, from, to, maxBytes })),
    document: (sessionId, sha256) => run(() => find(memory, sessionId)?.documents.get(sha256) ?? null),
    find: (ownerId, sessionId) => run(() => findOwn(memory.sessions, ownerId, sessionId)),
    list: (ownerId, page) => run(() => listOwn(memory.sessions, ownerId, page)),
    usage: (ownerId) => run(() => usageOf(memory.sessions, ownerId)),
    ownerEvents: (ownerIds, page) => run(() => ownerEventsIn(memory.sessions, ownerIds, page)),
    inbox: openInbox(memory, run),
    saveSnapshot: (snapshot) => run(() => saveSnapshot(memory, snapshot)),
    loadSnapshot: (sessionId, foldVersion) => run(() => find(memory, sessionId)?.snapshots.get(foldVersion) ?? null),
    saveCalls: (calls) => run(() => saveCalls(memory, calls)),
    loadCalls: (ids) => run(() => ids.flatMap((id) => [...(find(memory, id)?.calls.values() ?? [])])),
    delete: (sessionId, head) => run(() => isAt(find(memory, sessionId), head) && memory.sessions.delete(sessionId)),
    onHint: (listener) => listen(memory, handle, listener),
    hint: (sessionIds) => sendHint(memory, handle, sessionIds),
    countWindow: (windowMs, counts) => run(() => countWindow(memory, windowMs, counts)),
    secret: () => run(() => memory.secret),
    health: () => run(() => undefined),
    sibling: () => openHandle(memory),
    async close() {
      isClosed = true;
      for (const [listener, owner] of memory.listeners) if (owner === handle) memory.listeners.delete(listener);
    },
  };
}

function openInbox({ sessions }: Memory, run: <T>(work: () => T) => Promise<Awaited<T>>): StoredInbox {
  const inbox = createMemoryInbox(sessions);
  return {
    count: (ownerId, dueAt) => run(() => inbox.count(ownerId, dueAt)),
    page: (ownerId, page) => run(() => inbox.page(ownerId, page)),
    unplaced: (ownerId, limit) => run(() => inbox.unplaced(ownerId, limit)),
    note: (notes) =>
      run(() => {
        for (const { sessionId } of notes) assertStorableText('a session id', sessionId);
        return inbox.note(notes);
      }),
    noteBroken: (sessionId) => run(() => inbox.noteBroken(sessionId)),
  };
}

function find(memory: Memory, sessionId: string): KeptSession | undefined {
  assertStorableText('a session id', sessionId);
  return memory.sessions.get(sessionId);
}

function create(
  memory: Memory,
  session: NewSession,
  events: readonly StoredEvent[],
  documents: readonly StoredDocument[],
): void {
  assertStorableSession(session, events, documents);
  const { sessionId, ownerId, listing, place } = session;
  if (memory.sessions.has(sessionId)) throw new Error(`Session ${sessionId} exists.`);
  const kept: KeptSession = {
    ownerId,
    events: [],
    documents: new Map(),
    snapshots: new Map(),
    calls: new Map(),
    head: GENESIS,
    listing,
  };
  keep(kept, events, documents);
  kept.noted = notedAt(kept, place);
  memory.sessions.set(sessionId, kept);
}

function append(memory: Memory, request: Append): 'appended' | 'refused' {
  assertStorableAppend(request);
  const session = memory.sessions.get(request.sessionId);
  if (session?.head.seq !== request.expected.seq || session.head.hash !== request.expected.hash) return 'refused';
  keep(session, request.events, request.documents);
  const listing: Record<keyof Listing, string> = { ...session.listing };
  for (const { member } of CHANGING_COLUMNS) listing[member] = request.listing[member];
  session.listing = listing;
  session.noted = notedAt(session, request.place);
  return 'appended';
}

const notedAt = ({ head: { seq } }: KeptSession, place: Append['place']): KeptSession['noted'] =>
  place === undefined ? undefined : { seq, place };

function keep(session: KeptSession, events: readonly StoredEvent[], documents: readonly StoredDocument[]): void {
  for (const { seq, hash, body } of events) session.events.push({ seq, hash, body });
  for (const { sha256, body } of documents) if (!session.documents.has(sha256)) session.documents.set(sha256, body);
  const last = events.at(-1);
  if (last !== undefined) session.head = { seq: last.seq, hash: last.hash };
}

interface FetchRequest {
  readonly sessionId: string;
  readonly after: number;
  readonly skipIfMoreThan: number | undefined;
}

function fetch(
  memory: Memory,
  { sessionId, after, skipIfMoreThan = Number.POSITIVE_INFINITY }: FetchRequest,
): LogTail | null {
  const session = find(memory, sessionId);
  if (session === undefined) return null;
  const { head } = session;
  const events = head.seq - after > skipIfMoreThan ? [] : pageOf(session.events, after, after + EVENTS_PER_READ);
  return { head, events, more: after + events.length < head.seq };
}

interface EventsRequest {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number | undefined;
}

function readEvents(memory: Memory, { sessionId, from, to, maxBytes }: EventsRequest): readonly StoredEvent[] {
  const start = Math.max(from, 1) - 1;
  const end = Math.min(to, start + EVENTS_PER_READ);
  return pageOf(find(memory, sessionId)?.events ?? [], start, Math.max(start, end), maxBytes);
}

/**
 * The events from index `start` up to, but not including, `end`. Ends with the event with which the total length of the
 * texts reaches `maxBytes`.
 */
function pageOf(
  events: readonly StoredEvent[],
  start: number,
  end: number,
  maxBytes = BYTES_PER_READ,
): readonly StoredEvent[] {
  let bytes = 0;
  const wanted = events.slice(start, end);
  const last = wanted.findIndex(({ body }) => {
    bytes += Buffer.byteLength(body);
    return bytes >= maxBytes;
  });
  return last === -1 ? wanted : wanted.slice(0, last + 1);
}

function saveSnapshot(memory: Memory, { sessionId, ...snapshot }: Snapshot): boolean {
  assertStorableSnapshot({ sessionId, ...snapshot });
  const session = memory.sessions.get(sessionId);
  if (!session || !holds(session, snapshot)) return false;
  const { snapshots } = session;
  for (const version of snapshots.keys()) if (version < snapshot.foldVersion - 1) snapshots.delete(version);
  const known = snapshots.get(snapshot.foldVersion);
  if (known && known.seq >= snapshot.seq) return false; // The event of a snapshot is always in the log, because this storage never loses events.
  snapshots.set(snapshot.foldVersion, snapshot);
  return true;
}

function saveCalls(memory: Memory, calls: readonly StoredCall[]): void {
  for (const call of calls) {
    const session = find(memory, call.sessionId);
    const known = session?.calls.get(call.role);
    if (session && call.atMs > (known?.atMs ?? 0)) session.calls.set(call.role, { ...call });
  }
}

/** Whether the session exists and, if `head` is given, has this head. */
const isAt = (session: KeptSession | undefined, head: Head | undefined): boolean =>
  session !== undefined && (head === undefined || (head.seq === session.head.seq && head.hash === session.head.hash));

const holds = ({ events }: KeptSession, { seq, hash }: Head): boolean => events[seq - 1]?.hash === hash;

function listen(memory: Memory, handle: symbol, listener: HintListener): () => void {
  const own: HintListener = (sessionIds) => listener(sessionIds);
  memory.listeners.set(own, handle);
  return () => memory.listeners.delete(own);
}

function sendHint(memory: Memory, handle: symbol, sessionIds: readonly string[]): void {
  if (sessionIds.length === 0) return;
  setImmediate(() => {
    for (const [listener, owner] of memory.listeners) if (owner !== handle) listener(sessionIds);
  });
}
