import type { Head, StoredEvent } from '../log/event.ts';

/** A large value addressed by the SHA-256 (hex) of its text. */
export interface StoredDocument {
  readonly sha256: string;
  readonly body: string;
}

/** What an owner's list shows of a session without folding its log. */
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
  readonly listing: Pick<Listing, 'status' | 'phase'>;
}

export interface LogTail {
  readonly head: Head;
  /**
   * The events after the asked number, in order; at most 500, up to the event that brings their texts to 4 MiB of UTF-8,
   * or none when they are more than the caller wants.
   */
  readonly events: readonly StoredEvent[];
  /** Whether the log holds events beyond the last one given. */
  readonly more: boolean;
}

export interface ListPage {
  /** 1 to 200. */
  readonly limit: number;
  /** The last session id of the page before; left out for the first page. */
  readonly after?: string;
}

/** A session folded up to its event `seq`, as its reader wrote it down. Never truth: the log is. */
export interface StoredSnapshot extends Head {
  /** Which fold made it: another one cannot read it. At least 1. */
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

/** Thrown by `append` and `create` when the connection broke after the statement was sent: it may or may not land. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown by any call that certainly changed nothing because the storage cannot be reached. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** Thrown by any call that changed nothing because no space is left. Reading still works. */
export class StorageFull extends StorageUnavailable {}

/**
 * Where logs are kept. Every adapter passes `describeStorage` of `@parley/core/testing` whole.
 *
 * Times are ISO 8601 UTC, hashes lower-case hex. No call waits for another session's call to finish.
 */
export interface Storage {
  /** Stores a new session whole, or nothing. Rejects when the session id exists. */
  create(session: NewSession, events: readonly StoredEvent[], documents: readonly StoredDocument[]): Promise<void>;
  /**
   * Compare-and-swap on the head: all events and documents are stored and the head moves, or nothing happens.
   * `refused` when the head is another, the session is gone, or its row is busy: a fetch says which.
   *
   * @throws OutcomeUnknown when it may have landed
   */
  append(append: Append): Promise<'appended' | 'refused'>;
  /**
   * The head and the events after `after`, read by a statement sent after the call; `null` for an unknown session.
   *
   * @param skipIfMoreThan gives none of the events where more than these follow, for a caller who has a shorter way to them
   */
  fetch(sessionId: string, after: number, skipIfMoreThan?: number): Promise<LogTail | null>;
  /**
   * The events numbered `from` to `to`, both included, in order; at most 500 a call, up to the event that brings their
   * texts to `maxBytes` of UTF-8 (4 MiB when left out). Callers ask again for the rest.
   */
  events(sessionId: string, from: number, to: number, maxBytes?: number): Promise<readonly StoredEvent[]>;
  document(sessionId: string, sha256: string): Promise<string | null>;
  /** One session of an owner; `null` for an unknown session and for one of another owner. */
  find(ownerId: string, sessionId: string): Promise<ListedSession | null>;
  /** An owner's sessions, newest first. */
  list(ownerId: string, page: ListPage): Promise<readonly ListedSession[]>;
  /**
   * Keeps the snapshot, one for each session and fold version, as long as the log holds event `seq` with `hash`. One of
   * a later event stays, unless the log does not hold that event; those of fold versions before the previous one go.
   * A storage without snapshots leaves this and `loadSnapshot` out.
   *
   * @returns whether it is kept
   */
  saveSnapshot?(snapshot: Snapshot): Promise<boolean>;
  loadSnapshot?(sessionId: string, foldVersion: number): Promise<StoredSnapshot | null>;
  /** Erases every row of the session. Returns whether there was one. */
  delete(sessionId: string): Promise<boolean>;
  /** Hears of sessions that other processes changed. Returns the function that stops it. */
  onHint(listener: (sessionIds: readonly string[]) => void): () => void;
  /** Tells other processes that these sessions changed. Never awaited, never throws; may be lost. */
  hint(sessionIds: readonly string[]): void;
  /**
   * Adds to shared counters of one fixed window and returns the new totals, in the order given.
   *
   * @param windowMs length of the window in milliseconds; windows are aligned to the epoch on the storage's clock
   */
  countWindow(windowMs: number, counts: readonly RateCount[]): Promise<readonly RateCount[]>;
  /** The installation's secret (64 hex digits), made on first use, the same in every process. */
  secret(): Promise<string>;
  /** Resolves when the storage answers. */
  health(): Promise<void>;
  close(): Promise<void>;
}
