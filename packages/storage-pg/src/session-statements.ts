import type { Append, LogTail, Snapshot } from '@parley/core';
import type { Database } from './database.ts';
import { appendSession } from './sharded/append-session.ts';
import { createShardedSession } from './sharded/create-session.ts';
import { fetchSession } from './sharded/fetch-session.ts';
import { saveShardedSnapshot } from './sharded/save-snapshot.ts';
import { appendSessions } from './sql/append-sessions.ts';
import { createSession, type NewLog } from './sql/create-session.ts';
import { type FetchRequest, fetchSessions } from './sql/fetch-sessions.ts';
import { saveSnapshot } from './sql/save-snapshot.ts';

/** The statements that differ between an ordinary and a sharded database. All other statements name one session or none. */
export interface SessionStatements {
  create(database: Database, log: NewLog): Promise<void>;
  /**
   * Appends to different sessions.
   *
   * @returns for each append whether it won
   */
  append(database: Database, group: readonly Append[]): Promise<readonly boolean[]>;
  fetch(database: Database, group: readonly FetchRequest[]): Promise<readonly (LogTail | null)[]>;
  /**
   * Saves a snapshot.
   *
   * @returns whether it was saved
   */
  saveSnapshot(database: Database, snapshot: Snapshot): Promise<boolean>;
}

/** Statements for an ordinary database: one statement for a whole batch of sessions and all tables. */
export const GROUPED: SessionStatements = {
  create: createSession,
  append: appendSessions,
  fetch: fetchSessions,
  saveSnapshot,
};

/** Statements for a sharded database: each names one session, so that one server can run it. */
export const SHARDED: SessionStatements = {
  create: createShardedSession,
  append: (database, group) => Promise.all(group.map((append) => appendSession(database, append))),
  fetch: (database, group) => Promise.all(group.map((request) => fetchSession(database, request))),
  saveSnapshot: saveShardedSnapshot,
};
