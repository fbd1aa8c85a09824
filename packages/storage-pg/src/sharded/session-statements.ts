import type { Append, InboxNote, LogTail, Snapshot, StoredCall } from '@parley/core';
import type { Database } from '../database/database.ts';
import { appendSessions } from '../sql/append-sessions.ts';
import { createSession, type NewLog } from '../sql/create-session.ts';
import { type FetchRequest, fetchSessions } from '../sql/fetch-sessions.ts';
import { noteInbox } from '../sql/note-inbox.ts';
import { saveCalls } from '../sql/save-calls.ts';
import { saveSnapshot } from '../sql/save-snapshot.ts';
import { appendSession } from './append-session.ts';
import { createShardedSession } from './create-session.ts';
import { fetchSession } from './fetch-session.ts';
import { noteShardedInbox } from './note-inbox.ts';
import { saveShardedCalls } from './save-calls.ts';
import { saveShardedSnapshot } from './save-snapshot.ts';

/** The statements that differ between an ordinary and a sharded database. */
export interface SessionStatements {
  create(database: Database, log: NewLog): Promise<void>;
  /** Appends to different sessions. Returns for each append whether its compare-and-swap on the head succeeded. */
  append(database: Database, group: readonly Append[]): Promise<readonly boolean[]>;
  fetch(database: Database, group: readonly FetchRequest[]): Promise<readonly (LogTail | null)[]>;
  /** Saves a snapshot, and returns whether it was saved. */
  saveSnapshot(database: Database, snapshot: Snapshot): Promise<boolean>;
  saveCalls(database: Database, calls: readonly StoredCall[]): Promise<void>;
  noteInbox(database: Database, notes: readonly InboxNote[]): Promise<void>;
}

/** The statements for an ordinary database: one statement for a whole batch of sessions and all tables. */
export const GROUPED: SessionStatements = {
  create: createSession,
  append: appendSessions,
  fetch: fetchSessions,
  saveSnapshot,
  saveCalls,
  noteInbox,
};

/**
 * The statements for a sharded database: each statement contains only one session's id, so that one server can run it.
 */
export const SHARDED: SessionStatements = {
  create: createShardedSession,
  append: (database, group) => Promise.all(group.map((append) => appendSession(database, append))),
  fetch: (database, group) => Promise.all(group.map((request) => fetchSession(database, request))),
  saveSnapshot: saveShardedSnapshot,
  saveCalls: saveShardedCalls,
  noteInbox: noteShardedInbox,
};
