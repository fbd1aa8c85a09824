import type { Head, StoredEvent } from '../log/event.ts';

/** A large text, addressed by its SHA-256 (hex). */
export interface StoredDocument {
  readonly sha256: string;
  readonly body: string;
}

/** The members of a session that the owner's list shows. They are stored beside the log, so the list needs no folding. */
export interface Listing {
  readonly title: string;
  readonly status: string;
  readonly phase: string;
  /** Time of creation, ISO 8601 UTC. */
  readonly createdAt: string;
}

export interface ListedSession extends Listing {
  readonly sessionId: string;
  readonly seq: number;
}

export interface NewSession {
  readonly sessionId: string;
  readonly ownerId: string;
  readonly listing: Listing;
}

export interface Append {
  readonly sessionId: string;
  readonly expected: Head;
  /** The events to append: at least one, numbered without a gap from `expected.seq + 1`. */
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
  /** The members of the listing that this append replaces. The title and the time of creation never change. */
  readonly listing: Pick<Listing, 'status' | 'phase'>;
}

export interface LogTail {
  readonly head: Head;
  /**
   * The events after the requested number, in order: at most 500, and no further than the event with which their texts reach 4
   * MiB of UTF-8. Empty if more than `skipIfMoreThan` events follow.
   */
  readonly events: readonly StoredEvent[];
  /** Whether the log contains events after the last one given. */
  readonly more: boolean;
}

export interface ListPage {
  /** Maximum number of sessions in the page, 1 to 200. */
  readonly limit: number;
  /** The last session id of the previous page; left out for the first page. */
  readonly after?: string;
}

/**
 * The state of a session after its event `seq`, as text. It only saves folding: if it contradicts the log, the log is right.
 */
export interface StoredSnapshot extends Head {
  /** The fold version of the program that wrote the snapshot; other versions cannot read it. At least 1. */
  readonly foldVersion: number;
  readonly body: string;
}

export interface Snapshot extends StoredSnapshot {
  readonly sessionId: string;
}

export interface RateCount {
  readonly bucket: string;
  readonly n: number;
}

/**
 * Thrown by `append` and `create` if the connection broke after the statement was sent. The write may or may not have been
 * stored.
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
   * Compare-and-swap on the head: stores all events and documents and moves the head, or changes nothing. Returns `refused` if
   * the head is another one, the session is gone, or its row is locked. The next fetch shows which of these was the case.
   *
   * @throws OutcomeUnknown if the write may have been stored
   */
  append(append: Append): Promise<'appended' | 'refused'>;
  /**
   * The head, and the events after the number `after`. The statement that reads them is sent after this call. `null` for an
   * unknown session.
   *
   * @param skipIfMoreThan if more events than this follow, returns the head and no events; the caller then loads a snapshot
   */
  fetch(sessionId: string, after: number, skipIfMoreThan?: number): Promise<LogTail | null>;
  /**
   * The events `from` to `to`, both included, in order. Returns at most 500, and no further than the event with which their
   * texts reach `maxBytes` of UTF-8 (default 4 MiB). The caller asks again for the others.
   */
  events(sessionId: string, from: number, to: number, maxBytes?: number): Promise<readonly StoredEvent[]>;
  document(sessionId: string, sha256: string): Promise<string | null>;
  /** One session of an owner; `null` for an unknown session and for a session of another owner. */
  find(ownerId: string, sessionId: string): Promise<ListedSession | null>;
  /** An owner's sessions, newest first. */
  list(ownerId: string, page: ListPage): Promise<readonly ListedSession[]>;
  /**
   * Stores a snapshot, if the log contains its event `seq` with this `hash`. One snapshot is kept for each session and fold
   * version. An existing snapshot of a later event is kept instead, unless the log no longer contains that event. Deletes
   * snapshots of fold versions before the previous one. A storage without snapshots leaves out this method and `loadSnapshot`.
   *
   * @returns whether the snapshot was stored
   */
  saveSnapshot?(snapshot: Snapshot): Promise<boolean>;
  loadSnapshot?(sessionId: string, foldVersion: number): Promise<StoredSnapshot | null>;
  /** Deletes every row of the session. Returns whether the session existed. */
  delete(sessionId: string): Promise<boolean>;
  /** Calls `listener` with the sessions that other processes have changed. Returns the function that stops the calls. */
  onHint(listener: (sessionIds: readonly string[]) => void): () => void;
  /** Tells other processes that these sessions have changed. Returns at once and never throws; a hint may be lost. */
  hint(sessionIds: readonly string[]): void;
  /**
   * Adds to counters of the current window. All processes share the counters. Returns the new totals in the order of `counts`.
   *
   * @param windowMs length of a window in milliseconds; windows are aligned to the epoch on the storage's clock
   */
  countWindow(windowMs: number, counts: readonly RateCount[]): Promise<readonly RateCount[]>;
  /** The installation's secret (64 hex digits), created on first use; the same in every process. */
  secret(): Promise<string>;
  /** Resolves if the storage answers. */
  health(): Promise<void>;
  close(): Promise<void>;
}
