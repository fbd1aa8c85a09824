import type { ListedSession, ListPage, OwnerUse } from '@parley/core';
import { type Database, read } from '../database/database.ts';

export interface SessionRow {
  readonly session_id: string;
  readonly title: string;
  readonly status: string;
  readonly phase: string;
  /** Milliseconds since the epoch. The driver returns it as text, because it is a bigint. */
  readonly created_ms: string | number;
  readonly seq: number;
}

/** Columns of a session. The time is a number, because the text of a time depends on settings of the connection. */
export const COLUMNS = [
  ...['session_id', 'title', 'status', 'phase', 'seq'],
  "round(extract(epoch from created_at at time zone 'UTC') * 1000)::bigint as created_ms",
];

/** Lists a page of sessions. Finds the start of the page by its key, so a late page takes no longer than the first. */
export async function listSessions(
  database: Database,
  ownerId: string,
  { limit, after }: ListPage,
): Promise<readonly ListedSession[]> {
  const { session } = database.tables;
  const afterLast =
    after === undefined
      ? ''
      : `and (created_at, session_id) < (
           select created_at, session_id from ${session} where owner_id = $1 and session_id = $3)`;
  const text = `select ${COLUMNS.join(', ')} from ${session} where owner_id = $1 ${afterLast}
    order by created_at desc, session_id desc limit $2`;
  const values = [ownerId, limit, ...(after === undefined ? [] : [after])];
  return (await read<SessionRow>(database, { text, values })).map(toListed);
}

/** Finds a session of an owner. Returns `null` for an unknown session and for a session of another owner. */
export async function findSession(
  database: Database,
  ownerId: string,
  sessionId: string,
): Promise<ListedSession | null> {
  const text = `select ${COLUMNS.join(', ')} from ${database.tables.session} where session_id = $1 and owner_id = $2`;
  const [row] = await read<SessionRow>(database, { text, values: [sessionId, ownerId] });
  return row ? toListed(row) : null;
}

export function toListed({ session_id, title, status, phase, created_ms, seq }: SessionRow): ListedSession {
  const createdAt = new Date(Number(created_ms)).toISOString();
  return { sessionId: session_id, title, status, phase, createdAt, seq };
}

type UsageRow = Readonly<Record<keyof OwnerUse, string>>;

/**
 * Counts the sessions of an owner, their events and their bytes. `octet_length` reads only the stored length of a long
 * text. The counts are separate subqueries, so that an event is not counted once for each document.
 */
export async function readUsage(database: Database, ownerId: string): Promise<OwnerUse> {
  const { session, event, document } = database.tables;
  const bytesOf = (table: string): string => `
    select coalesce(sum(octet_length(t.body)), 0) as bytes
    from ${session} s join ${table} t on t.session_id = s.session_id where s.owner_id = $1`;
  const text = `
    select a.sessions, a.events, b.bytes + c.bytes as bytes
    from (select count(*) as sessions, coalesce(sum(seq), 0) as events from ${session} where owner_id = $1) a,
      (${bytesOf(event)}) b, (${bytesOf(document)}) c`;
  const [row] = await read<UsageRow>(database, { text, values: [ownerId] });
  return { sessions: Number(row?.sessions), events: Number(row?.events), bytes: Number(row?.bytes) };
}
