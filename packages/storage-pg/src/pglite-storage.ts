import { PGlite } from '@electric-sql/pglite';
import type { Storage } from '@parley/core';
import { assembleStorage } from './assemble-storage.ts';
import type { GroupListener } from './batcher.ts';
import { toPortFailure } from './failures.ts';
import { NO_HINTS } from './hints.ts';
import { openDataFolder } from './pglite/data-folder.ts';
import { type FolderLock, lockFolder } from './pglite/folder-lock.ts';
import { startMaintenance } from './pglite/maintenance.ts';
import { openDatabase } from './pglite/open-database.ts';
import { prepareSchema } from './schema-version.ts';
import { GROUPED } from './session-statements.ts';

export interface PgliteOptions {
  /** Folder of the database, created on first use, for one process at a time. Left out: in memory, lost at the end. */
  readonly folder?: string;
  /** A data folder dumped by PGlite (`dumpDataDir`), from which a missing database is created. */
  readonly seed?: Blob;
  /** Called with the number of calls in each batched statement. */
  readonly onGroup?: GroupListener;
  /**
   * Called once, with the reason, when the database has stopped for good: its engine stopped, or another process took
   * the folder. Every later call fails, so the program should exit and be started again.
   */
  readonly onStopped?: (reason: string) => void;
}

/**
 * Opens the storage on a PostgreSQL embedded in this process (PGlite); commits reach the disk.
 * @throws FolderInUse if another process uses the folder
 * @throws Error if its schema is newer than this program
 */
export async function createPgliteStorage({ folder, seed, ...told }: PgliteOptions = {}): Promise<Storage> {
  if (folder === undefined) return openStorage(await openMemory(seed), told);
  const lock = await lockFolder(folder);
  try {
    const { engine } = await openDataFolder(folder, seed);
    return await openStorage(engine, { ...told, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openMemory(seed: Blob | undefined): Promise<PGlite> {
  return PGlite.create(seed === undefined ? {} : { loadDataDir: seed });
}

interface Holding extends Pick<PgliteOptions, 'onGroup' | 'onStopped'> {
  readonly lock?: FolderLock;
}

async function openStorage(engine: PGlite, { lock, onGroup, onStopped }: Holding): Promise<Storage> {
  const { database, stop } = openDatabase(engine, { lock, onStopped });
  await prepareSchema(database, true).catch(async (error: unknown) => {
    await stop();
    throw toPortFailure(error, 'read');
  });
  const stopMaintenance = startMaintenance(database);
  const close = async (): Promise<void> => {
    await stopMaintenance();
    await stop();
    await lock?.release();
  };
  const refuseWrites = (): string | undefined =>
    lock?.isDoubted() ? 'Writes are refused: the lock file of the database folder could not be renewed.' : undefined;
  const batching = { maxInFlight: 1, maxBatchSize: 64 };
  return assembleStorage({ database, statements: GROUPED, batching, onGroup, hints: NO_HINTS, refuseWrites, close });
}
