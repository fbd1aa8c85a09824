import { type Database, transact } from '../database/database.ts';
import { SESSION_TABLES } from '../database/tables.ts';

/**
 * Deletes a session. The head row is deleted first: after that, no append can succeed, and the statements after it see
 * every row that was stored before. A single statement for all tables would miss the events of an append that commits at
 * the same time.
 */
export async function deleteSession(database: Database, sessionId: string): Promise<boolean> {
  const { tables } = database;
  return transact(database, async ({ query }) => {
    const values = [sessionId];
    const { rowCount } = await query({ text: `delete from ${tables.session} where session_id = $1`, values });
    if (rowCount === 0) return false;
    for (const name of SESSION_TABLES.slice(1)) {
      await query({ text: `delete from ${tables[name]} where session_id = $1`, values });
    }
    return true;
  });
}
