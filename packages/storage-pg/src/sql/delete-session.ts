import { type Database, transact } from '../database.ts';

/**
 * The head row goes first: no append can pass it any more, and the later statements see whatever one before it stored.
 * One statement for all tables would leave the events of an append that commits meanwhile.
 */
export async function deleteSession(database: Database, sessionId: string): Promise<boolean> {
  const { tables } = database;
  return transact(database, async (client) => {
    const { rowCount } = await client.query(`delete from ${tables.session} where session_id = $1`, [sessionId]);
    if (rowCount === 0) return false;
    await client.query(`delete from ${tables.event} where session_id = $1`, [sessionId]);
    await client.query(`delete from ${tables.document} where session_id = $1`, [sessionId]);
    await client.query(`delete from ${tables.snapshot} where session_id = $1`, [sessionId]);
    return true;
  });
}
