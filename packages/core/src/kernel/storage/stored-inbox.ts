import type { Head } from '../log/event.ts';
import type { ListedSession } from './listing.ts';

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
