import type { StoredCall } from '@parley/core';
import { type Database, read, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

interface CallRow {
  readonly session_id: string;
  readonly role: StoredCall['role'];
  /** Time of the call in milliseconds since 1970. The driver returns it as text, because it is a bigint. */
  readonly at_ms: string;
  readonly is_waiting: boolean;
}

const loadText = ({ presence }: Tables): string =>
  `select session_id, role, at_ms, is_waiting from ${presence} where session_id = any($1::text[])`;

export async function loadCalls(database: Database, sessionIds: readonly string[]): Promise<readonly StoredCall[]> {
  const statement = { name: 'parley_load_calls', text: loadText(database.tables), values: [[...sessionIds]] };
  const rows = await read<CallRow>(database, statement);
  return rows.map(({ session_id: sessionId, role, at_ms, is_waiting: isWaiting }) => ({
    sessionId,
    role,
    atMs: Number(at_ms),
    isWaiting,
  }));
}

/**
 * SQL that stores the latest call of each agent. A stored call is not replaced by an earlier call. Head rows are
 * locked, so that a delete of a session must wait. Nothing is stored for a deleted session, which has no head row. Rows
 * are locked in a fixed order, so that two processes cannot deadlock.
 */
const saveText = ({ session, presence }: Tables): string => `
with calls as materialized (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[]) as c(session_id, role, at_ms, is_waiting)
), heads as materialized (
  select s.session_id from ${session} s where s.session_id in (select session_id from calls)
  order by s.session_id for key share of s
)
insert into ${presence} as kept (session_id, role, at_ms, is_waiting)
select c.session_id, c.role, c.at_ms, c.is_waiting from calls c join heads using (session_id)
order by c.session_id, c.role
on conflict (session_id, role) do update set at_ms = excluded.at_ms, is_waiting = excluded.is_waiting
where kept.at_ms < excluded.at_ms`;

export async function saveCalls(database: Database, calls: readonly StoredCall[]): Promise<void> {
  const values = [
    calls.map(({ sessionId }) => sessionId),
    calls.map(({ role }) => role),
    calls.map(({ atMs }) => atMs),
    calls.map(({ isWaiting }) => isWaiting),
  ];
  await write(database, { name: 'parley_save_calls', text: saveText(database.tables), values });
}
