import type { ListedSession, ListPage } from '@parley/core';
import knex from 'knex';
import { type Database, read } from '../database/database.ts';

export interface SessionRow {
  readonly session_id: string;
  readonly title: string;
  readonly status: string;
  readonly phase: string;
  readonly created_at: Date;
  readonly seq: number;
}

const build = knex({ client: 'pg' });
export const COLUMNS = ['session_id', 'title', 'status', 'phase', 'created_at', 'seq'];

/** Lists a page of sessions. The start of the page is found by its key, so a late page takes no longer than the first. */
export async function listSessions(
  database: Database,
  ownerId: string,
  { limit, after }: ListPage,
): Promise<readonly ListedSession[]> {
  const { schema } = database.tables;
  const own = () => build('parley_session').withSchema(schema).where({ owner_id: ownerId });
  const page = own()
    .select(COLUMNS)
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'session_id', order: 'desc' },
    ]);
  if (after !== undefined) {
    const last = own().where({ session_id: after }).select('created_at', 'session_id');
    page.whereRaw('(created_at, session_id) < (?)', [last]);
  }
  const { sql: text, bindings: values } = page.limit(limit).toSQL().toNative();
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

export function toListed({ session_id, title, status, phase, created_at, seq }: SessionRow): ListedSession {
  return { sessionId: session_id, title, status, phase, createdAt: created_at.toISOString(), seq };
}
