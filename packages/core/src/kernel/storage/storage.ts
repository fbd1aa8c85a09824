import type { Head, StoredEvent } from '../log/event.ts';

/** A large text, addressed by its SHA-256 (hex). */
export interface StoredDocument {
  readonly sha256: string;
  readonly body: string;
}

/** The members of a session that an owner's list shows without folding the log. */
export interface Listing {
  readonly title: string;
  readonly status: string;
  readonly phase: string;
  /** ISO 8601 UTC. */
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
  /** At least one; numbered without a gap from `expected.seq + 1`. */
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
  /** The members of the listing that an append replaces; the others stay as they were at creation. */
  readonly listing: Pick<Listing, 'status' | 'phase'>;
}

export interface LogTail {
  readonly head: Head;
  /**
   * The events after the requested number, in order: at most 500, up to the event that brings their texts to 4 MiB of
   * UTF-8; none if there are more than `skipIfMoreThan`.
   */
  readonly events: readonly StoredEvent[];
  /** Whether the log contains events after the last one given. */
  readonly more: boolean;
}

export interface ListPage {
  /** 1 to 200. */
  readonly limit: number;
  /** The last session id of the previous page; left out for the first page. */
  readonly after?: string;
}

/** A session folded up to its event `seq`. A cache only: the log is the source of truth. */
export interface StoredSnapshot extends Head {
  /** The fold version that wrote it; other versions cannot read it. At least 1. */
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
 * Thrown by `append` and `create` if the connection broke after the statement was sent: the write may or may not be
 * stored.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown by any call that changed nothing because the storage cannot be reached. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** Thrown by any call that changed nothing because no space is left. Reads still work. */
export class StorageFull extends StorageUnavailable {}

/**
 * The storage of logs. Every adapter must pass `describeStorage` of `@parley/core/testing`. Times are ISO 8601 UTC,
 * hashes lower-case hex. A call never waits for a call on another session.
 */
export interface Storage {
  /** Stores a new session completely, or nothing. Rejects if the session id exists. */
  create(session: NewSession, events: readonly StoredEvent[], documents: readonly StoredDocument[]): Promise<void>;
  /**
   * Compare-and-swap on the head: stores all events and documents and moves the head, or changes nothing. Returns
   * `refused` if the head is another one, the session is gone, or its row is locked; a fetch shows which.
   * @throws OutcomeUnknown if the write may have been stored
   */
  append(append: Append): Promise<'appended' | 'refused'>;
  /**
   * The head and the events after `after`, read by a statement sent after the call; `null` for an unknown session.
   * @param skipIfMoreThan if more events than this follow, returns the head and no events; the caller then loads a
   * snapshot
   */
  fetch(sessionId: string, after: number, skipIfMoreThan?: number): Promise<LogTail | null>;
  /**
   * The events `from` to `to`, both included, in order; at most 500 per call, up to the event that brings their texts
   * to `maxBytes` of UTF-8 (4 MiB when left out). Callers ask again for the rest.
   */
  events(sessionId: string, from: number, to: number, maxBytes?: number): Promise<readonly StoredEvent[]>;
  document(sessionId: string, sha256: string): Promise<string | null>;
  /** One session of an owner; `null` for an unknown session and for a session of another owner. */
  find(ownerId: string, sessionId: string): Promise<ListedSession | null>;
  /** An owner's sessions, newest first. */
  list(ownerId: string, page: ListPage): Promise<readonly ListedSession[]>;
  /**
   * Stores a snapshot, one for each session and fold version, if the log contains event `seq` with `hash`. An existing
   * snapshot of a later event stays, unless the log does not contain that event. Deletes snapshots of fold versions
   * before the previous one. A storage without snapshots leaves out this method and `loadSnapshot`.
   * @returns whether the snapshot was stored
   */
  saveSnapshot?(snapshot: Snapshot): Promise<boolean>;
  loadSnapshot?(sessionId: string, foldVersion: number): Promise<StoredSnapshot | null>;
  /** Erases every row of the session. Returns whether there was one. */
  delete(sessionId: string): Promise<boolean>;
  /** Listens for sessions that other processes changed. Returns the function that stops it. */
  onHint(listener: (sessionIds: readonly string[]) => void): () => void;
  /** Sends hints that these sessions changed. Never awaited, never throws; a hint may be lost. */
  hint(sessionIds: readonly string[]): void;
  /**
   * Adds to counters of one fixed window, shared by all processes, and returns the new totals in the order given.
   * @param windowMs length of the window in milliseconds; windows are aligned to the epoch on the storage's clock
   */
  countWindow(windowMs: number, counts: readonly RateCount[]): Promise<readonly RateCount[]>;
  /** The installation's secret (64 hex digits), created on first use; the same in every process. */
  secret(): Promise<string>;
  /** Resolves if the storage answers. */
  health(): Promise<void>;
  close(): Promise<void>;
}
