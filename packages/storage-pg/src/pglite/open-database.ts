import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database.ts';
import { openPool } from '../database/database.ts';
import { tablesIn } from '../database/tables.ts';
import { type FolderLock, LOST } from './folder-lock.ts';

/**
 * Milliseconds to wait for the answer to a statement. Afterwards, the engine counts as stopped. The limit is long,
 * because the vacuum of a large database takes time.
 */
const ANSWER_MS = 120_000;

interface Watching {
  readonly lock?: FolderLock | undefined;
  /** Called once, with the reason, if the database has stopped and cannot continue. */
  readonly onStopped?: ((reason: string) => void) | undefined;
}

/**
 * Creates the pool for an engine. The pool has a single connection, because the engine accepts only one. The pool never
 * closes an idle connection.
 */
export function openDatabase(
  engine: PGlite,
  { lock, onStopped }: Watching = {},
): { database: Database; stop(): Promise<void> } {
  let fault: string | undefined;
  let isStopping = false;
  const fail = (reason: string): void => {
    if (fault !== undefined || isStopping) return;
    fault = reason;
    onStopped?.(reason);
  };
  const limits = { max: 1, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 0, query_timeout: ANSWER_MS };
  const pool = openPool({ ...createPgConfig(engine), ...limits });
  pool.on('remove', () => fail('The embedded database stopped. Start the program again.'));
  void lock?.lost.then(() => fail(LOST));
  const confirm = (): void => {
    if (lock?.isHeld() ?? true) return;
    fail(LOST);
    throw new Error(LOST);
  };
  const connect = async (): Promise<PoolClient> => {
    if (fault !== undefined) throw new Error(fault);
    return pool.connect();
  };
  const stop = async (): Promise<void> => {
    const isSound = fault === undefined;
    isStopping = true;
    await pool.end();
    // After a fault the engine is not closed: a stopped engine would not answer, and closing it would write to a folder
    // that another process may have taken over.
    if (isSound) await engine.close();
  };
  return { database: { pool, connect, confirm, tables: tablesIn('public'), isPrepared: () => false }, stop };
}
