import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import type { Storage } from '@parley/core';
import type { PoolClient } from 'pg';
import { assembleStorage } from './assemble-storage.ts';
import type { Database } from './database.ts';
import { toPortFailure } from './failures.ts';
import { NO_HINTS } from './hints.ts';
import { openPool } from './open-pool.ts';
import { openDataFolder } from './pglite/data-folder.ts';
import { type FolderLock, lockFolder } from './pglite/folder-lock.ts';
import { startUpkeep } from './pglite/upkeep.ts';
import { prepareSchema } from './schema-version.ts';
import { tablesIn } from './tables.ts';

export interface PgliteOptions {
  /** Holds the database; made on first use. One process at a time. Left out: in memory, gone at the end. */
  readonly folder?: string;
  /** A data folder dumped by PGlite (`dumpDataDir`) to start from where there is none yet. */
  readonly seed?: Blob;
}

/** A statement that takes longer has lost its engine. The vacuum of a large database may take a while. */
const ANSWER_MS = 120_000;

/**
 * Opens the storage on a PostgreSQL embedded in this process (PGlite), with commits that reach the disk.
 *
 * @throws Error when another process uses the folder, or its schema is newer than this program
 */
export async function createPgliteStorage({ folder, seed }: PgliteOptions = {}): Promise<Storage> {
  if (folder === undefined) return openStorage(await openMemory(seed));
  const lock = await lockFolder(folder);
  try {
    const { engine } = await openDataFolder(folder, seed);
    return await openStorage(engine, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openMemory(seed: Blob | undefined): Promise<PGlite> {
  return PGlite.create(seed === undefined ? {} : { loadDataDir: seed });
}

async function openStorage(engine: PGlite, lock?: FolderLock): Promise<Storage> {
  const { database, stop } = openDatabase(engine, lock);
  await prepareSchema(database, true).catch(async (error: unknown) => {
    await stop();
    throw toPortFailure(error, 'read');
  });
  const stopUpkeep = startUpkeep(database);
  const close = async (): Promise<void> => {
    await stopUpkeep();
    await stop();
    await lock?.release();
  };
  return assembleStorage({ database, lanes: { lanes: 1, groupMax: 64 }, hints: NO_HINTS, close });
}

/** All access goes through a pool of the one connection there is; it is never closed for being idle. */
function openDatabase(engine: PGlite, lock?: FolderLock): { database: Database; stop(): Promise<void> } {
  let fault: string | undefined;
  const limits = { max: 1, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 0, query_timeout: ANSWER_MS };
  const pool = openPool({ ...createPgConfig(engine), ...limits });
  pool.on('remove', () => {
    fault ??= 'The embedded database stopped. Start the program again.';
  });
  void lock?.lost.then(() => {
    fault = 'The database folder was taken away. Start the program again.';
  });
  const connect = async (): Promise<PoolClient> => {
    if (fault !== undefined) throw new Error(fault);
    return pool.connect();
  };
  const stop = async (): Promise<void> => {
    const isSound = fault === undefined;
    await pool.end();
    // A broken engine does not answer, and nothing may be written to a folder that is no longer ours.
    if (isSound) await engine.close();
  };
  return { database: { pool, connect, tables: tablesIn('public'), isPrepared: false }, stop };
}
