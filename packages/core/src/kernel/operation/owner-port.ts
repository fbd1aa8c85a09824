import type { z } from 'zod';
import type { LoggedEvent } from '../log/event.ts';
import type { LogReport } from '../log/verify-log.ts';

/**
 * An operation as the owner's HTTP API, CLI and console see it. `name` is camelCase; its route and its command are the same
 * name in kebab-case.
 */
export interface OwnerListing {
  readonly name: string;
  readonly summary: string;
  /** A `write` is served as POST <name-in-kebab-case>, a `read` as GET. */
  readonly effect: 'read' | 'write';
  readonly input: z.ZodType;
}

/**
 * The interface of Parley for the owner's HTTP API, CLI and console, for one owner. Every method rejects with
 * ParleyError.
 */
export interface OwnerPort {
  /** Operations on one session: start, pause, invite, ask, view, transcript and the rest. */
  call(name: string, sessionId: string, input?: unknown): Promise<Readonly<Record<string, unknown>>>;
  createSession(input: unknown): Promise<Readonly<Record<string, unknown>>>;
  listSessions(page?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A page of sessions. Each says whose step is next and which tasks wait for the owner. */
  overview(page?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Sets whether this owner admits moderators, in all current and future sessions. */
  setModeratorEntitlement(input: unknown): Promise<Readonly<Record<string, unknown>>>;
  deleteSession(sessionId: string): Promise<{ readonly deleted: true }>;
  /** The log as JSON lines. Each line has the exact stored text of an event and its hash: `{"hash":"…","event":"…"}`. */
  exportLog(sessionId: string): AsyncIterable<string>;
  verifyLog(sessionId: string): Promise<LogReport>;
  /**
   * All events after the number `after`: the stored ones, then each new one. Ends when `signal` aborts or the service drains.
   */
  watch(sessionId: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<LoggedEvent>;
}
