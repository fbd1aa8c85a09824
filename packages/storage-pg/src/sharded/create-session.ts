import { GENESIS } from '@parley/core';
import { type Database, transact } from '../database.ts';
import type { NewLog } from '../sql/create-session.ts';
import { insertLog } from './insert-log.ts';

/** Creates a session in one transaction. Every statement in it names the session. */
export async function createShardedSession(database: Database, { session, events, documents }: NewLog): Promise<void> {
  const { sessionId, ownerId, listing } = session;
  const { tables } = database;
  const last = events.at(-1) ?? GENESIS;
  await transact(database, async (client) => {
    await client.query(
      `insert into ${tables.session} (session_id, owner_id, title, status, phase, created_at, seq, hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [sessionId, ownerId, listing.title, listing.status, listing.phase, listing.createdAt, last.seq, last.hash],
    );
    await insertLog(client, tables, { sessionId, events, documents });
  });
}
