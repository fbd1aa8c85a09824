import type { StoredCall } from '@parley/core';
import { type Database, transact } from '../database/database.ts';
import { rowsOf } from './rows.ts';

/**
 * Stores the latest call of each agent, one session after another. If the server of a session does not answer, the
 * calls of other sessions are still stored, and the first error is thrown.
 */
export async function saveShardedCalls(database: Database, calls: readonly StoredCall[]): Promise<void> {
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
