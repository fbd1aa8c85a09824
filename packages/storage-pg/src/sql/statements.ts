import type { Append, Head, InboxNote, LogTail, Snapshot, StoredCall, StoredDocument, StoredEvent } from '@parley/core';
import { type Database, read, type Transaction, transact, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { CHANGING, dueKey, notedKey, placeValues } from './columns.ts';
import { readEvents, saveSnapshot } from './events.ts';
import { noteInbox } from './inbox.ts';
import {
  appendSessions,
  createSession,
  type FetchRequest,
  fetchSessions,
  insertText,
  type NewLog,
  newRow,
  SEQ_MAX,
  saveCalls,
} from './sessions.ts';

/** Makes the placeholders for several rows of one session, such as `($1, $2, $3), ($1, $4, $5)`, and their values. */
function rowsOf(sessionId: string, rows: readonly (readonly unknown[])[]) {
  const values: unknown[] = [sessionId];
  const lines = rows.map((row) => {
    const places = row.map((value) => `$${values.push(value)}`);
    return `($1, ${places.join(', ')})`;
  });
  return { text: lines.join(', '), values };
}

interface LogPart {
  readonly sessionId: string;
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
}

/**
 * Maximum number of rows in a prepared statement. Larger statements are rare, and each number of rows needs another
 * prepared statement.
 */
const PREPARED_ROWS = 8;

/** Inserts events and documents of one session, with one statement for all events and one for all documents. */
function sendLog(
  transaction: Transaction,
  { event, document }: Tables,
  { sessionId, events, documents }: LogPart,
): void {
  if (events.length > 0) {
    const { text, values } = rowsOf(
      sessionId,
      events.map(({ seq, hash, body }) => [seq, hash, body]),
    );
    const name = events.length <= PREPARED_ROWS ? { name: `parley_insert_${events.length}` } : {};
    transaction.send({ ...name, text: `insert into ${event} (session_id, seq, hash, body) values ${text}`, values });
  }
  if (documents.length > 0) {
    const { text, values } = rowsOf(
      sessionId,
      documents.map(({ sha256, body }) => [sha256, body]),
    );
    transaction.send({
      text: `insert into ${document} (session_id, sha256, body) values ${text} on conflict (session_id, sha256) do nothing`,
      values,
    });
  }
}

/**
 * Runs one append as a transaction. All its statements contain only this session's id, so that one server of a sharded
 * database can run them.
 *
 * @returns false if the head of the log was not the expected head
 */
async function appendSession(database: Database, append: Append): Promise<boolean> {
  const { tables } = database;
  const { sessionId, expected, events, listing, place } = append;
  const last = events.at(-1) ?? expected;
  return transact(database, async (transaction) => {
    const changing = CHANGING.map(({ name }, index) => `${name} = $${10 + index}`);
    const { rowCount } = await transaction.query({
      name: 'parley_append_one',
      text: `update ${tables.session} s set seq = $4, hash = $5, ${changing.join(', ')},
         noted_seq = $6, noted_key = ${notedKey('$7::bigint', '$9::bigint')}, inbox_tasks = $8
       where session_id = $1 and seq = $2 and hash = $3`,
      values: [
        ...[sessionId, expected.seq, expected.hash, last.seq, last.hash],
        ...placeValues(place, last.seq),
        dueKey(new Date().toISOString()),
        ...CHANGING.map(({ member }) => listing[member]),
      ],
    });
    if (rowCount === 0) return false;
    sendLog(transaction, tables, append);
    return true;
  });
}

/**
 * Creates a session in one transaction. All its statements contain only this session's id, so that one server of a
 * sharded database can run them.
 */
async function createShardedSession(database: Database, log: NewLog): Promise<void> {
  const { session, events, documents } = log;
  const { tables } = database;
  await transact(database, async (transaction) => {
    await transaction.query({ text: insertText(tables), values: [...newRow(log)] });
    sendLog(transaction, tables, { sessionId: session.sessionId, events, documents });
  });
}

/**
 * Fetches one session with a short statement for the head, and with a second statement for the events only if there are
 * new events. One statement for both would be longer, and Citus plans a statement at every call, which takes longer for
 * a longer text. The second statement reads the events up to the head that the first has read. If the session is
 * deleted in between, the result has no events, and `more` is true.
 */
async function fetchSession(database: Database, request: FetchRequest): Promise<LogTail | null> {
  const { sessionId, after, skipIfMoreThan = SEQ_MAX } = request;
  const text = `select seq, hash from ${database.tables.session} where session_id = $1`;
  const [head] = await read<Head>(database, { name: 'parley_head', text, values: [sessionId] });
  if (head === undefined) return null;
  const news = head.seq - after;
  const events =
    news <= 0 || news > skipIfMoreThan
      ? []
      : await readEvents(database, { sessionId, from: after + 1, to: head.seq, maxBytes: undefined });
  return { head, events, more: (events.at(-1)?.seq ?? after) < head.seq };
}

/** Stores the places of sessions one after another. Each statement contains only one session's id. */
async function noteShardedInbox(database: Database, notes: readonly InboxNote[]): Promise<void> {
  const text = `update ${database.tables.session}
    set noted_seq = $3, noted_key = $4, inbox_tasks = $5
    where session_id = $1 and seq = $3 and hash = $2`;
  for (const { sessionId, head, place } of notes) {
    const values = [sessionId, head.hash, ...placeValues(place, head.seq)];
    await write(database, { name: 'parley_inbox_note', text, values });
  }
}

/**
 * Stores the latest call of each agent, one session after another. If the server of a session does not answer, the
 * calls of other sessions are still stored, and the first error is thrown.
 */
async function saveShardedCalls(database: Database, calls: readonly StoredCall[]): Promise<void> {
  const sessionIds = [...new Set(calls.map(({ sessionId }) => sessionId))];
  const failures: unknown[] = [];
  for (const sessionId of sessionIds) {
    const own = calls.filter((call) => call.sessionId === sessionId);
    await saveOfSession(database, sessionId, own).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Stores the calls of one session. Locks its head row first, so that a delete of the session must wait. If the session
 * was deleted, there is no head row, and nothing is stored.
 */
async function saveOfSession(database: Database, sessionId: string, calls: readonly StoredCall[]): Promise<void> {
  const { session, presence } = database.tables;
  await transact(database, async ({ query, send }) => {
    const head = { text: `select 1 from ${session} where session_id = $1 for key share`, values: [sessionId] };
    if ((await query({ name: 'parley_lock_head', ...head })).rowCount === 0) return;
    const rows = calls
      .toSorted((one, other) => (one.role < other.role ? -1 : 1))
      .map(({ role, atMs, isWaiting }) => [role, atMs, isWaiting]);
    const { text, values } = rowsOf(sessionId, rows);
    send({
      name: `parley_save_calls_${rows.length}`,
      text: `insert into ${presence} as kept (session_id, role, at_ms, is_waiting) values ${text}
       on conflict (session_id, role) do update set at_ms = excluded.at_ms, is_waiting = excluded.is_waiting
       where kept.at_ms < excluded.at_ms`,
      values,
    });
  });
}

/** Saves a snapshot in one transaction. All its statements contain only this session's id. */
async function saveShardedSnapshot(database: Database, snapshot: Snapshot): Promise<boolean> {
  const { tables } = database;
  const { sessionId, foldVersion, seq, hash, body } = snapshot;
  return transact(database, async (transaction) => {
    if (!(await isInLog(transaction, tables, snapshot))) return false;
    const lost = await transaction.query<{ hash: string }>({
      text: `select s.hash from ${tables.snapshot} s
       left join ${tables.event} e on e.session_id = $1 and e.seq = s.seq and e.hash = s.hash
       where s.session_id = $1 and s.fold_version = $2 and e.seq is null`,
      values: [sessionId, foldVersion],
    });
    transaction.send({
      text: `delete from ${tables.snapshot} where session_id = $1 and fold_version < $2`,
      values: [sessionId, foldVersion - 1],
    });
    const { rowCount } = await transaction.query({
      text: `insert into ${tables.snapshot} as kept (session_id, fold_version, seq, hash, body) values ($1, $2, $3, $4, $5)
       on conflict (session_id, fold_version) do update set seq = excluded.seq, hash = excluded.hash, body = excluded.body
       where kept.seq < excluded.seq or kept.hash = $6`,
      values: [sessionId, foldVersion, seq, hash, body, lost.rows[0]?.hash ?? ''],
    });
    return rowCount === 1;
  });
}

/**
 * Whether the log contains the last event of the snapshot. Locks the head row, so that a delete of the session must
 * wait. Returns false if the session was deleted.
 */
async function isInLog({ query }: Transaction, { session, event }: Tables, snapshot: Snapshot): Promise<boolean> {
  const { sessionId, seq, hash } = snapshot;
  const head = await query({
    text: `select 1 from ${session} where session_id = $1 for key share`,
    values: [sessionId],
  });
  if (head.rowCount === 0) return false;
  const found = await query({
    text: `select 1 from ${event} where session_id = $1 and seq = $2 and hash = $3`,
    values: [sessionId, seq, hash],
  });
  return found.rowCount === 1;
}

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
