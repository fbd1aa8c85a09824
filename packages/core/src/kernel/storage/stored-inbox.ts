import type { Head } from '../log/event.ts';
import type { ListedSession } from './listing.ts';

/**
 * The place of a session in its owner's inbox, as the session's log determines it. The last calls of agents have no
 * influence on it. The process that appends computes the place. One indexed statement can then find the sessions in which
 * something waits, without folding the other sessions.
 */
export interface InboxPlace {
  /**
   * What the owner finds in the session. 1: a task that blocks the session. 2: other tasks. 3: the session is a draft or
   * paused. 4: nothing waits, but an agent can become absent.
   */
  readonly rank: 1 | 2 | 3 | 4;
  /**
   * Ranks 1 to 3: the time since which the oldest of these tasks waits. Rank 4: the earliest time at which an agent can
   * count as absent; from then on the session belongs to the inbox. ISO 8601 UTC.
   */
  readonly at: string;
  /** Number of tasks that the owner has to settle, without absent agents. */
  readonly tasks: number;
}

/** A session in the inbox. */
export interface InboxEntry extends ListedSession {
  /** Hash of the last event. */
  readonly hash: string;
  /** Null if the place is not known. */
  readonly place: InboxPlace | null;
}

export interface InboxPage {
  /** Maximum number of sessions in the page, 1 to 200. */
  readonly limit: number;
  /** The time up to which places of rank 4 belong to the inbox, ISO 8601 UTC. */
  readonly dueAt: string;
  /** The place of the last session of the previous page, and its id; left out for the first page. */
  readonly after?: Pick<InboxPlace, 'rank' | 'at'> & { readonly sessionId: string };
}

export interface InboxCount {
  /** The rank of the sessions. 0: their place is not known. */
  readonly rank: InboxPlace['rank'] | 0;
  readonly sessions: number;
  /** Sum of the tasks of these sessions. */
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
 * The places of sessions in the inbox. An append or a note gives a session its place. An append without a place, as an
 * earlier version sends it, makes the place unknown.
 */
export interface StoredInbox {
  /** Number of sessions and tasks for each rank, in any order. Leaves out ranks without sessions, and rank 4 after `dueAt`. */
  count(ownerId: string, dueAt: string): Promise<readonly InboxCount[]>;
  /**
   * The sessions of an owner whose place is known: those of ranks 1 to 3, and those of rank 4 whose time is not after
   * `dueAt`. Ordered by rank, time and session id. For rank 4, a storage may use an earlier time than the append gave, but
   * never a later one.
   */
  page(ownerId: string, page: InboxPage): Promise<readonly InboxEntry[]>;
  /** Sessions of an owner whose place is not known, at most `limit` (1 to 200), in any order. */
  unplaced(ownerId: string, limit: number): Promise<readonly InboxEntry[]>;
  /** Stores places that were computed by folding. A note may be lost if another write has locked the session. */
  note(notes: readonly InboxNote[]): Promise<void>;
  /** Gives a session whose log is broken the rank 1 and one task since its creation, unless it has the rank 1 already. */
  noteBroken(sessionId: string): Promise<void>;
}
