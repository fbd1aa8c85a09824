import type { LastCall } from '../last-calls.ts';
import type { Head, StoredEvent } from '../log/event.ts';
import type { Agent } from '../roles.ts';
import type { ListedSession, Listing } from './listing.ts';
import type { OwnerEvent, OwnerEventsPage } from './owner-events.ts';
import type { InboxPlace, StoredInbox } from './stored-inbox.ts';

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
  /** The members of the listing that this append changes. Title and time of creation never change. */
  readonly listing: Pick<Listing, 'status' | 'phase'>;
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
