import { BYTES_PER_READ } from '../limits.ts';
import type { Head, StoredEvent } from '../log/event.ts';
import type { Agent, LastCall } from '../roles.ts';
import { isRecord, parseOrNull } from '../text/json-value.ts';

/**
 * The members of a session in the owner's list of sessions. They are stored beside the log, so a list needs no folding.
 * `changes`: whether an append stores the member again; the others stay as `create` stored them. `isTime`: whether the
 * member is a time, ISO 8601 UTC; otherwise it is a text.
 */
export const LISTING_COLUMNS = [
  { member: 'title', changes: false, isTime: false },
  { member: 'status', changes: true, isTime: false },
  { member: 'phase', changes: true, isTime: false },
  /** Time of creation. */
  { member: 'createdAt', changes: false, isTime: true },
] as const;

/** The columns that an append stores again. */
export const CHANGING_COLUMNS = LISTING_COLUMNS.filter((column) => column.changes);

/** The title, status, phase and time of creation (ISO 8601 UTC) of a session. */
export type Listing = Readonly<Record<(typeof LISTING_COLUMNS)[number]['member'], string>>;

export interface ListedSession extends Listing {
  readonly sessionId: string;
  readonly seq: number;
}

/** An event whose actor is the owner, and the session to which it belongs. */
export interface OwnerEvent extends StoredEvent {
  readonly sessionId: string;
  readonly title: string;
}

/** The position of an event in the order of the audit: by time, then by session id, then by number. */
export interface OwnerEventPosition {
  readonly at: string;
  readonly sessionId: string;
  readonly seq: number;
}

/** Selects events of the owner. A member that is left out does not filter. */
export interface OwnerEventFilter {
  readonly sessionId?: string | undefined;
  /** Id of the person in the event. */
  readonly personId?: string | undefined;
  readonly kind?: string | undefined;
  /** The earliest time, included. ISO 8601 UTC with milliseconds. */
  readonly from?: string | undefined;
  /** The latest time, not included. ISO 8601 UTC with milliseconds. */
  readonly to?: string | undefined;
}

export interface OwnerEventsPage extends OwnerEventFilter {
  readonly order: 'newest' | 'oldest';
  /** Maximum number of events in the page, 1 to 500. */
  readonly limit: number;
  /** The position of the last event of the previous page; left out for the first page. */
  readonly after?: OwnerEventPosition | undefined;
}

interface KeptLog {
  readonly ownerId: string;
  readonly listing: { readonly title: string };
  readonly events: readonly StoredEvent[];
}

interface Positioned {
  readonly position: OwnerEventPosition;
  readonly event: OwnerEvent;
}

/**
 * Reads a page of the events of the owners in `ownerIds` from the sessions of `MemoryStorage`. Each call reads every
 * event in the sessions of these owners.
 */
export function ownerEventsIn(
  sessions: ReadonlyMap<string, KeptLog>,
  ownerIds: readonly string[],
  { order, limit, after, ...filter }: OwnerEventsPage,
): readonly OwnerEvent[] {
  const sign = order === 'newest' ? -1 : 1;
  const found = [...sessions]
    .filter(([sessionId, { ownerId }]) => ownerIds.includes(ownerId) && (filter.sessionId ?? sessionId) === sessionId)
    .flatMap(([sessionId, { listing, events }]) =>
      events.flatMap((stored) => positioned({ ...stored, sessionId, title: listing.title }, filter) ?? []),
    )
    .filter(({ position }) => !after || sign * compare(position, after) > 0)
    .sort((one, other) => sign * compare(one.position, other.position))
    .slice(0, limit)
    .map(({ event }) => event);
  let bytes = 0;
  return found.filter(({ body }) => {
    const isFirstOrFits = bytes < BYTES_PER_READ;
    bytes += Buffer.byteLength(body);
    return isFirstOrFits;
  });
}

/** The event with its position, if the owner is its actor and the filter selects it. */
function positioned(event: OwnerEvent, { personId, kind, from, to }: OwnerEventFilter): Positioned | undefined {
  const text = parseOrNull(event.body);
  if (!isRecord(text) || text.actor !== 'owner' || typeof text.at !== 'string') return undefined;
  const { at } = text;
  const person = isRecord(text.person) ? text.person.id : undefined;
  const isWanted =
    (personId === undefined || person === personId) &&
    (kind === undefined || text.kind === kind) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to);
  return isWanted ? { position: { at, sessionId: event.sessionId, seq: event.seq }, event } : undefined;
}

function compare(one: OwnerEventPosition, other: OwnerEventPosition): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.sessionId !== other.sessionId) return one.sessionId < other.sessionId ? -1 : 1;
  return one.seq - other.seq;
}

/**
 * The place of a session in its owner's inbox, from which one indexed statement finds the sessions in which something
 * waits. The process that appends an event computes the place from the log, without the times of the agents' latest
 * calls. `StoredInbox.note` can correct the place.
 */
export interface InboxPlace {
  /**
   * What waits for the owner in the session. 1: a task that blocks the session. 2: other tasks. 3: the session is a draft or
   * paused. 4: nothing waits, but an agent can become silent.
   */
  readonly rank: 1 | 2 | 3 | 4;
  /**
   * Rank 1: the time since which the oldest blocking task waits. Ranks 2 and 3: the time since which the oldest task
   * waits. Rank 4: the earliest time at which an agent can count as silent; from then on the session belongs to the
   * inbox. ISO 8601 UTC.
   */
  readonly at: string;
  /** Number of tasks that wait for the owner. Tasks about absent agents are not counted. */
  readonly tasks: number;
}

/** A session, and its place in the inbox of its owner. */
export interface InboxEntry extends ListedSession {
  /** Hash of the last event. */
  readonly hash: string;
  /** Null if the place is not known. */
  readonly place: InboxPlace | null;
}

export interface InboxPage {
  /** Maximum number of sessions in the page, 1 to 200. */
  readonly limit: number;
  /** The page contains sessions of rank 4 only if the time of their place is not after this time. ISO 8601 UTC. */
  readonly dueAt: string;
  /** The place of the last session of the previous page, and its id; left out for the first page. */
  readonly after?: Pick<InboxPlace, 'rank' | 'at'> & { readonly sessionId: string };
}

export interface InboxCount {
  /** The rank of the counted sessions. 0: the sessions whose place is not known. */
  readonly rank: InboxPlace['rank'] | 0;
  readonly sessions: number;
  /** Number of tasks that wait for the owner in all sessions of this rank. */
  readonly tasks: number;
}

export interface InboxNote {
  readonly sessionId: string;
  /** The head of the log from which the place was computed. The note is ignored if the log has another head. */
  readonly head: Head;
  /** Null if nothing in the session can be waiting for the owner. */
  readonly place: InboxPlace | null;
}

/**
 * The places of sessions in the inbox. An append or a call of `note` gives a session its place. An append without a
 * place, as an earlier version of Parley sends it, makes the place of the session unknown.
 */
export interface StoredInbox {
  /**
   * Number of sessions and tasks of each rank, in any order. Leaves out ranks without sessions, and sessions of rank 4 whose time
   * is after `dueAt`.
   */
  count(ownerId: string, dueAt: string): Promise<readonly InboxCount[]>;
  /**
   * The sessions of an owner whose place is known: those of ranks 1 to 3, and those of rank 4 whose time is not after
   * `dueAt`. Ordered by rank, time and session id. For rank 4, a storage may use an earlier time than the append gave, but
   * never a later one.
   */
  page(ownerId: string, page: InboxPage): Promise<readonly InboxEntry[]>;
  /** At most `limit` (1 to 200) sessions of an owner whose place is not known, in any order. */
  unplaced(ownerId: string, limit: number): Promise<readonly InboxEntry[]>;
  /**
   * Stores places that were computed by folding sessions. Need not store the place of a session that another write has
   * locked.
   */
  note(notes: readonly InboxNote[]): Promise<void>;
  /**
   * Gives a session whose log is broken a place of rank 1, with one task that waits since the session was created.
   * Changes nothing if the session already has rank 1.
   */
  noteBroken(sessionId: string): Promise<void>;
}

/** A large text, addressed by its SHA-256 (hex). */
export interface StoredDocument {
  readonly sha256: string;
  readonly body: string;
}

export interface NewSession {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly listing: Listing;
  /**
   * The session's place in the owner's inbox. Null if nothing in the session can be waiting for the owner. Left out: not known.
   */
  readonly place?: InboxPlace | null;
}

export interface Append {
  readonly sessionId: string;
  readonly expected: Head;
  /** The events to append: at least one, numbered without a gap from `expected.seq + 1`. */
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
  /** The listing after this append. A storage stores {@link CHANGING_COLUMNS} and ignores the other members. */
  readonly listing: Listing;
  /**
   * The session's place in the owner's inbox after this append. Null if nothing in the session can be waiting for the owner. Left
   * out: not known.
   */
  readonly place?: InboxPlace | null;
}

export interface LogTail {
  readonly head: Head;
  /**
   * The events after the requested number, in order. Ends after 500 events, or after the event with which the total
   * length of the texts reaches 4 MiB of UTF-8. Empty if more than `skipIfMoreThan` events follow.
   */
  readonly events: readonly StoredEvent[];
  /** Whether the log contains events after the last event of `events`. */
  readonly more: boolean;
}

export interface ListPage {
  /** Maximum number of sessions in the page, 1 to 200. */
  readonly limit: number;
  /** The last session id of the previous page; left out for the first page. */
  readonly after?: string;
}

/**
 * The state of a session after its event `seq`, as text. A process that loads it need not fold the events up to `seq`.
 * A snapshot that contradicts the log is ignored.
 */
export interface StoredSnapshot extends Head {
  /**
   * The fold version of the program that wrote the snapshot, at least 1. Programs with another fold version cannot read it.
   */
  readonly foldVersion: number;
  readonly body: string;
}

export interface Snapshot extends StoredSnapshot {
  readonly sessionId: string;
}

/** The latest call that an agent made in one session. */
export interface StoredCall extends LastCall {
  readonly sessionId: string;
  readonly role: Agent;
}

export interface RateCount {
  readonly bucket: string;
  readonly n: number;
}

/** How much all sessions of one owner together occupy in the storage. */
export interface OwnerUse {
  /** Number of sessions that are not deleted, also those that have ended. */
  readonly sessions: number;
  /** Number of events in the logs of the sessions that are not deleted. */
  readonly events: number;
  /** Length of the texts of all events and documents of the sessions that are not deleted, in bytes of UTF-8. */
  readonly bytes: number;
}

/**
 * Thrown by `append` and `create` if the connection broke after the statement was sent. The write may or may not be stored.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown if the storage cannot be reached. The call has changed nothing. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** Thrown if the storage has no space left. The call has changed nothing; reads still work. */
export class StorageFull extends StorageUnavailable {}

/**
 * The storage of logs. Every adapter must pass `describeStorage` of `@parley/core/testing`. Times are ISO 8601 UTC, hashes
 * lower-case hex. A call on one session never waits for a call on another session.
 */
export interface Storage {
  /** Stores a new session completely, or nothing. Rejects if the session id exists. */
  create(session: NewSession, events: readonly StoredEvent[], documents: readonly StoredDocument[]): Promise<void>;
  /**
   * Compare-and-swap on the head: stores all events and documents and moves the head, or changes nothing. Returns `refused`
   * if the log has another head, the session does not exist, or its row is locked; the next fetch shows the reason.
   *
   * @throws OutcomeUnknown if the write may have been stored
   */
  append(append: Append): Promise<'appended' | 'refused'>;
  /**
   * Returns the head and the events after the number `after`; null for an unknown session. The statement that reads the
   * head and the events must be sent after `fetch` is called, so that the result contains everything stored before.
   *
   * @param skipIfMoreThan if more events than this follow, returns the head and no events; the caller then loads a
   * snapshot
   */
  fetch(sessionId: string, after: number, skipIfMoreThan?: number): Promise<LogTail | null>;
  /**
   * Returns the events from `from` to `to`, both included, in order. Ends after 500 events, or after the event with
   * which the total length of the texts reaches `maxBytes` of UTF-8 (default 4 MiB). The caller calls again for the
   * remaining events.
   */
  events(sessionId: string, from: number, to: number, maxBytes?: number): Promise<readonly StoredEvent[]>;
  document(sessionId: string, sha256: string): Promise<string | null>;
  /** One session of an owner; `null` for an unknown session and for a session of another owner. */
  find(ownerId: string, sessionId: string): Promise<ListedSession | null>;
  /** A page of an owner's sessions, newest first. */
  list(ownerId: string, page: ListPage): Promise<readonly ListedSession[]>;
  /**
   * Returns the events whose actor is the owner, of all logs of the owners in `ownerIds`, ordered by time, then session
   * id, then number. Time, kind, actor and person are read from the text of the event. Ends after `limit` events, or
   * after the event with which the total length of the texts reaches 4 MiB of UTF-8. Unless the filter selects few
   * events, the cost depends neither on the number of sessions nor on the length of their logs.
   */
  ownerEvents(ownerIds: readonly string[], page: OwnerEventsPage): Promise<readonly OwnerEvent[]>;
  /**
   * Returns how much the sessions of an owner together occupy in the storage. Reads the length of each event, so the
   * time grows with the number of events.
   */
  usage(ownerId: string): Promise<OwnerUse>;
  /**
   * The places of sessions in the inboxes of their owners. If a storage leaves this member out, each call for the inbox folds every
   * session of the owner.
   */
  readonly inbox?: StoredInbox;
  /**
   * Stores a snapshot, if the log contains the snapshot's event `seq` with this `hash`. Keeps one snapshot for each
   * session and fold version. A stored snapshot of a later event is kept, unless the log no longer contains that event.
   * Deletes snapshots whose fold version is lower than `foldVersion - 1`. A storage without snapshots leaves out this
   * method and `loadSnapshot`.
   *
   * @returns whether the snapshot was stored
   */
  saveSnapshot?(snapshot: Snapshot): Promise<boolean>;
  loadSnapshot?(sessionId: string, foldVersion: number): Promise<StoredSnapshot | null>;
  /**
   * Stores the latest calls of agents. Keeps the newest call of each role in each session. Ignores calls in unknown
   * sessions. The calls are not part of the log and may be lost. A storage that cannot store them leaves out this method
   * and `loadCalls`; each process then knows only its own calls.
   *
   * @param calls at most one for each role of a session
   */
  saveCalls?(calls: readonly StoredCall[]): Promise<void>;
  /** For each role of the sessions `sessionIds`: its latest stored call, from any process. In any order. */
  loadCalls?(sessionIds: readonly string[]): Promise<readonly StoredCall[]>;
  /**
   * Deletes all data of the session.
   *
   * @param head if the log has another head, nothing is deleted
   * @returns whether the session was deleted
   */
  delete(sessionId: string, head?: Head): Promise<boolean>;
  /**
   * Calls `listener` with the ids of sessions that other processes have changed; an empty list means that any session
   * may have changed. Returns a function that removes the listener.
   */
  onHint(listener: (sessionIds: readonly string[]) => void): () => void;
  /** Sends the ids of changed sessions to other processes. Returns at once and never throws; a hint may be lost. */
  hint(sessionIds: readonly string[]): void;
  /**
   * Adds to counters of the current window. All processes share the counters. Returns the new totals, in the order of
   * `counts`.
   *
   * @param windowMs length of a window in milliseconds; windows are aligned to the epoch by the clock of the storage
   */
  countWindow(windowMs: number, counts: readonly RateCount[]): Promise<readonly RateCount[]>;
  /** The installation's secret (64 hex digits), created on first use; the same in every process. */
  secret(): Promise<string>;
  /** Resolves if the storage answers and stores what is written. */
  health(): Promise<void>;
  close(): Promise<void>;
}
