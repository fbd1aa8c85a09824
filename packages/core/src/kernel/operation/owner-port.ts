import type { z } from 'zod';
import type { LoggedEvent } from '../log/event.ts';
import type { LogReport } from '../log/verify-log.ts';
import type { Person, PersonRole } from '../person.ts';
import type { Effect } from './operation.ts';

/**
 * An operation as the owner's HTTP API, CLI and console use it. `name` is in camelCase; the route and the command have the
 * same name in kebab-case.
 */
export interface OwnerListing {
  readonly name: string;
  readonly summary: string;
  /** A `write` has the route POST <name-in-kebab-case>, a `read` has GET. */
  readonly effect: Effect;
  readonly input: z.ZodType;
  /** The role that a person needs for this operation. */
  readonly roleNeeded: PersonRole;
}

/** A write that may be sent again. */
export interface KeyedRequest {
  /** Raw values of the Idempotency-Key header. If there is none, the write runs each time. */
  readonly keys: readonly string[];
  /** The method and the path. Each route has keys of its own. */
  readonly route: string;
  /** The request as a JSON value. The same key with another value is refused. */
  readonly body: unknown;
}

/**
 * The functions of Parley that the HTTP API, the CLI and the console of one owner use. A method that fails rejects with
 * a ParleyError.
 */
export interface OwnerPort {
  /** Who makes the calls: id, name, role, and the account if the service has several. */
  whoAmI(): Promise<Person & { readonly account?: { readonly account_id: string; readonly name: string } }>;
  /**
   * Runs a write at most once for each idempotency key of the person. The same request with the same key gets the first answer for
   * 24 hours, also from another process. A refused write does not use its key up.
   *
   * @param run makes the write with the port that it gets
   */
  answerOnce(request: KeyedRequest, run: (port: OwnerPort) => Promise<object>): Promise<object>;
  /** Runs an operation on one session, such as start, pause, invite, ask, view or transcript. */
  call(name: string, sessionId: string, input?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Like `call`. The answer to a write has the further member `after`: `said`, what the write has done, and `view`, the session
   * after it.
   */
  act(name: string, sessionId: string, input?: unknown): Promise<Readonly<Record<string, unknown>>>;
  createSession(input: unknown): Promise<Readonly<Record<string, unknown>>>;
  listSessions(page?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A page of sessions. Each entry contains the role that must act next and the tasks that wait for the owner. */
  overview(page?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A page of the sessions in which something waits for the owner, the most urgent first. Folds no other session. */
  inbox(page?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** The sessions of a group, at most ten: where each stands, and what stops its release. Folds no other session. */
  group(group: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Finds words in the events of all sessions. Each call reads a limited number of events. */
  find(search: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A page of what people have done in all sessions, newest first. */
  audit(page?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Like `audit`, as JSON lines with the oldest event first. */
  exportAudit(filter?: unknown): AsyncIterable<string>;
  /** Sets whether this owner allows moderators. Affects all current and future sessions of the owner. */
  setModeratorEntitlement(input: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Pauses every active session of this owner. */
  pauseAll(input: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Resumes the sessions that one call of `pauseAll` has paused. */
  resumeAll(input?: unknown): Promise<Readonly<Record<string, unknown>>>;
  deleteSession(sessionId: string): Promise<{ readonly deleted: true }>;
  /** The log as JSON lines. Each line has the exact stored text of an event and its hash: `{"hash":"…","event":"…"}`. */
  exportLog(sessionId: string): AsyncIterable<string>;
  verifyLog(sessionId: string): Promise<LogReport>;
  /**
   * All events whose number is greater than `after`: first the stored events, then each new event. Ends when `signal`
   * aborts or when the service drains.
   */
  watch(sessionId: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<LoggedEvent>;
}
