import type { Append } from '@parley/core';
import { type Database, transact } from '../database/database.ts';
import { dueKey, notedKey, placeValues } from '../sql/inbox-columns.ts';
import { sendLog } from './send-log.ts';

/**
 * Runs one append as a transaction. All its statements contain only this session's id, so that one server of a sharded
 * database can run them.
 *
 * @returns false if the head of the log was not the expected head
 */
export async function appendSession(database: Database, append: Append): Promise<boolean> {
  const { tables } = database;
  const { sessionId, expected, events, listing, place } = append;
  const last = events.at(-1) ?? expected;
  return transact(database, async (transaction) => {
    const { rowCount } = await transaction.query({
      name: 'parley_append_one',
      text: `update ${tables.session} s set seq = $4, hash = $5, status = $6, phase = $7,
         noted_seq = $8, noted_key = ${notedKey('$9::bigint', '$11::bigint')}, inbox_tasks = $10
       where session_id = $1 and seq = $2 and hash = $3`,
      values: [
        ...[sessionId, expected.seq, expected.hash, last.seq, last.hash, listing.status, listing.phase],
        ...placeValues(place, last.seq),
        dueKey(new Date().toISOString()),
      ],
    });
    if (rowCount === 0) return false;
    sendLog(transaction, tables, append);
    return true;
  });
}
