import type { Head } from '@parley/core';
import { type Database, transact } from '../database/database.ts';
import { SESSION_TABLES } from '../database/tables.ts';

/**
 * Deletes a session. Deletes the head row first, so that no later append can succeed and the following statements find
 * all stored rows. A single statement for all tables would miss the events of a concurrent append.
 *
 * @param head if the log has another head, nothing is deleted
 */
export async function deleteSession(database: Database, sessionId: string, head?: Head): Promise<boolean> {
  const { tables } = database;
  return transact(database, async ({ query }) => {
    const values = [sessionId];
    const isAtHead = head ? ' and seq = $2 and hash = $3' : '';
    const { rowCount } = await query({
      text: `delete from ${tables.session} where session_id = $1${isAtHead}`,
      values: head ? [sessionId, head.seq, head.hash] : values,
    });
    if (rowCount === 0) return false;
    for (const name of SESSION_TABLES.slice(1)) {
      await query({ text: `delete from ${tables[name]} where session_id = $1`, values });
    }
    return true;
  });
}
