import type { Snapshot } from '@parley/core';
import type { PoolClient } from 'pg';
import { type Database, transact } from '../database.ts';
import type { Tables } from '../tables.ts';

/** Saves a snapshot in one transaction. Every statement in it names the session. */
export async function saveShardedSnapshot(database: Database, snapshot: Snapshot): Promise<boolean> {
  const { tables } = database;
  const { sessionId, foldVersion, seq, hash, body } = snapshot;
  return transact(database, async (client) => {
    if (!(await isInLog(client, tables, snapshot))) return false;
    const lost = await client.query<{ hash: string }>(
      `select s.hash from ${tables.snapshot} s
       left join ${tables.event} e on e.session_id = s.session_id and e.seq = s.seq and e.hash = s.hash
       where s.session_id = $1 and s.fold_version = $2 and e.seq is null`,
      [sessionId, foldVersion],
    );
    await client.query(`delete from ${tables.snapshot} where session_id = $1 and fold_version < $2`, [
      sessionId,
      foldVersion - 1,
    ]);
    const { rowCount } = await client.query(
      `insert into ${tables.snapshot} as kept (session_id, fold_version, seq, hash, body) values ($1, $2, $3, $4, $5)
       on conflict (session_id, fold_version) do update set seq = excluded.seq, hash = excluded.hash, body = excluded.body
       where kept.seq < excluded.seq or kept.hash = $6`,
      [sessionId, foldVersion, seq, hash, body, lost.rows[0]?.hash ?? ''],
    );
    return rowCount === 1;
  });
}

/**
 * Whether the log contains the last event of the snapshot. Locks the head row, so that a delete has to wait. After a delete
 * there is no head row, and the result is false.
 */
async function isInLog(client: PoolClient, { session, event }: Tables, snapshot: Snapshot): Promise<boolean> {
  const { sessionId, seq, hash } = snapshot;
  const head = await client.query(`select 1 from ${session} where session_id = $1 for key share`, [sessionId]);
  if (head.rowCount === 0) return false;
  const found = await client.query(`select 1 from ${event} where session_id = $1 and seq = $2 and hash = $3`, [
    sessionId,
    seq,
    hash,
  ]);
  return found.rowCount === 1;
}
