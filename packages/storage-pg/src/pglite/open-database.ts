import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { StorageUnavailable } from '@parley/core';
import type { PoolClient } from 'pg';
import { type Database, openPool, write } from '../database/database.ts';
import { ConnectionLost, StatementRefused } from '../database/failures.ts';
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

const CHECKPOINT_MS = 60_000;
const VACUUM_MS = 60 * 60_000;

/**
 * Runs checkpoints and vacuum regularly, because PGlite does not. Otherwise, the write-ahead log and the tables would
 * grow without limit.
 *
 * @returns a function that stops the maintenance and waits for work in progress
 */
export function startMaintenance(database: Database): () => Promise<void> {
  let underway: Promise<void> = Promise.resolve();
  const every = (ms: number, text: string): NodeJS.Timeout =>
    setInterval(() => {
      underway = underway.then(() => runIgnoringErrors(database, text));
    }, ms).unref();
  const timers = [every(CHECKPOINT_MS, 'checkpoint'), every(VACUUM_MS, 'vacuum (analyze)')];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await underway;
  };
}

/** The failures that the next request, or the loss of the folder, reports. */
const REPORTED = [StatementRefused, ConnectionLost, StorageUnavailable];

/**
 * Runs a statement. Ignores a refused statement, a lost connection and a database that has stopped: the timer runs the statement
 * again. Such an error would end the process before it is closed.
 */
async function runIgnoringErrors(database: Database, text: string): Promise<void> {
  await write(database, { text, values: [] }).catch((error: unknown) => {
    if (!REPORTED.some((kind) => error instanceof kind)) throw error;
  });
}
