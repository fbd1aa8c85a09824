import { randomBytes } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { FORMS, settle } from './connection-settings.ts';
import type { Database } from './database.ts';
import { readConnectFailure, toPortFailure } from './failures.ts';
import { openPool } from './open-pool.ts';
import type { Tables } from './tables.ts';

export interface ServerOptions {
  readonly connectionString: string;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectMs?: number;
}

/**
 * Settings of a connection. The application name is different for each process, and a name in the connection string
 * takes precedence.
 */
export async function serverOf({ connectionString, connectMs = 5_000 }: ServerOptions): Promise<PoolConfig> {
  const server = { connectionString, connectionTimeoutMillis: connectMs, keepAlive: true };
  const settled = await settle(nameless(server)).catch((error: unknown) => {
    throw readConnectFailure(error);
  });
  return { ...settled, fallback_application_name: `parley-${randomBytes(4).toString('hex')}` };
}

/**
 * Settings of a connection without the application name of this process, because a pooler would keep that name after
 * the client has disconnected.
 */
export const nameless = (server: PoolConfig): PoolConfig => ({ ...server, fallback_application_name: 'parley' });

/** Runs work on one connection without a time limit, which is closed afterwards. */
export async function onOneConnection<T>(
  server: PoolConfig,
  tables: Tables,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const pool = openPool({ ...server, max: 1, onConnect: async (client) => void (await client.query(FORMS)) });
  try {
    return await work({ pool, connect: () => pool.connect(), tables, isPrepared: () => false });
  } catch (error) {
    throw toPortFailure(error, 'read');
  } finally {
    await pool.end();
  }
}
