import type { Append } from '@parley/core';
import { type Database, transact } from '../database.ts';
import { insertLog } from './insert-log.ts';

/**
 * Runs one append as a transaction. Every statement in it names the session, so that one server of a distributed database can
 * run it.
 *
 * @returns whether the append won
 */
export async function appendSession(database: Database, append: Append): Promise<boolean> {
  const { tables } = database;
  const { sessionId, expected, events, listing } = append;
  const last = events.at(-1) ?? expected;
  return transact(database, async (client) => {
    const { rowCount } = await client.query(
      `update ${tables.session} set seq = $4, hash = $5, status = $6, phase = $7
       where session_id = $1 and seq = $2 and hash = $3`,
      [sessionId, expected.seq, expected.hash, last.seq, last.hash, listing.status, listing.phase],
    );
    if (rowCount === 0) return false;
    await insertLog(client, tables, append);
    return true;
  });
}
