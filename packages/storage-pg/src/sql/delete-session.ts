import { type Database, transact } from '../database.ts';

/**
 * Deletes a session. Deletes the head row first: after that no append can succeed, and the later statements see every row that
 * was stored before. If a single statement deleted from all tables, the events of an append that commits meanwhile would stay.
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
