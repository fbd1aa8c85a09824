import type { NewSession, StoredDocument, StoredEvent } from '@parley/core';
import { type Database, transact } from '../database.ts';
import { GENESIS } from '../sql/create-session.ts';
import { insertLog } from './insert-log.ts';

/** As `createSession` of all tables at once does, by statements that name the session. */
export async function createSingleSession(
  database: Database,
  { sessionId, ownerId, listing }: NewSession,
  events: readonly StoredEvent[],
  documents: readonly StoredDocument[],
): Promise<void> {
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
