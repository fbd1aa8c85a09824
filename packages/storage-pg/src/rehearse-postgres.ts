import { randomBytes } from 'node:crypto';
import {
  type Database,
  nameless,
  onOneConnection,
  rehearse,
  type ServerOptions,
  serverOf,
} from './database/database.ts';
import { tablesIn } from './database/tables.ts';
import { readSchemaStatus } from './migrations/schema-version.ts';
import { createSession, listSessions } from './sql/sessions.ts';

/**
 * Creates a session, lists it and rolls back, on a connection like those of the storage. Stores nothing.
 *
 * @returns false if it was left out, because Citus distributes the tables
 * @throws StorageUnavailable if the database cannot be reached or accepts no writes
 * @throws Error if the session cannot be created or listed
 */
export async function rehearsePostgres(options: ServerOptions & { readonly schema?: string }): Promise<boolean> {
  return onOneConnection(nameless(await serverOf(options)), tablesIn(options.schema ?? 'public'), rehearseSession);
}

async function rehearseSession(database: Database): Promise<boolean> {
  const { shards } = await readSchemaStatus(database);
  if (shards > 0) return false;
  const id = `rehearsal-${randomBytes(8).toString('hex')}`;
  const listing = { title: id, status: 'DRAFT', phase: 'PLANNING', createdAt: '2026-01-02T03:04:05.678Z' };
  await rehearse(database, async (rehearsal) => {
    await createSession(rehearsal, { session: { sessionId: id, ownerId: id, listing }, events: [], documents: [] });
    const [listed] = await listSessions(rehearsal, id, { limit: 1 });
    if (listed?.createdAt !== listing.createdAt)
      throw new Error(`A session of ${listing.createdAt} is listed with the time ${listed?.createdAt}.`);
  });
  return true;
}
