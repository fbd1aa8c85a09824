import type { Snapshot } from '@parley/core';
import { type Database, type Transaction, transact } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/** Saves a snapshot in one transaction. All its statements contain only this session's id. */
export async function saveShardedSnapshot(database: Database, snapshot: Snapshot): Promise<boolean> {
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
