import type { StoredCall } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/**
 * SQL that stores the latest call of each agent. A stored call is not replaced by an earlier call. Head rows are
 * locked, so that a delete of a session must wait. Nothing is stored for a deleted session, which has no head row. Rows
 * are locked in a fixed order, so that two processes cannot deadlock.
 */
const text = ({ session, presence }: Tables): string => `
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
  await write(database, { name: 'parley_save_calls', text: text(database.tables), values });
}
