import { GENESIS } from '@parley/core';
import { type Database, transact } from '../database/database.ts';
import type { NewLog } from '../sql/create-session.ts';
import { placeValues } from '../sql/inbox-columns.ts';
import { sendLog } from './send-log.ts';

/**
 * Creates a session in one transaction. All its statements contain only this session's id, so that one server of a
 * sharded database can run them.
 */
export async function createShardedSession(database: Database, { session, events, documents }: NewLog): Promise<void> {
  const { sessionId, ownerId, listing, place } = session;
  const { tables } = database;
  const last = events.at(-1) ?? GENESIS;
  await transact(database, async (transaction) => {
    await transaction.query({
      text: `insert into ${tables.session} (session_id, owner_id, title, status, phase, created_at, seq, hash,
         noted_seq, noted_key, inbox_tasks)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      values: [
        ...[sessionId, ownerId, listing.title, listing.status, listing.phase, listing.createdAt, last.seq, last.hash],
        ...placeValues(place, last.seq),
      ],
    });
    sendLog(transaction, tables, { sessionId, events, documents });
  });
}
