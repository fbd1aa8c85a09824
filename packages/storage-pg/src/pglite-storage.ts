import { PGlite } from '@electric-sql/pglite';
import type { Storage } from '@parley/core';
import { assembleStorage } from './assemble-storage.ts';
import type { GroupListener } from './batching/batcher.ts';
import { toPortFailure } from './database/failures.ts';
import { NO_HINTS } from './hints/hints.ts';
import { prepareSchema } from './migrations/schema-version.ts';
import { openDataFolder } from './pglite/data-folder.ts';
import { type FolderLock, failureIn, lockFolder } from './pglite/folder-lock.ts';
import { openDatabase, startMaintenance } from './pglite/open-database.ts';
import { GROUPED } from './sql/statements.ts';

export interface PgliteOptions {
  /**
   * Folder of the database. It is created on first use, and only one process at a time can use it. Default: the
   * database is in memory, and is lost when the process ends.
   */
  readonly folder?: string;
  /**
   * The data folder of another PGlite, as `dumpDataDir` returns it. A database that does not exist yet is created from
   * it.
   */
  readonly seed?: Blob;
  /**
   * Milliseconds without a sign of life after which this process takes the folder over from a process in another
   * container or on another machine. Default 20,000. Must be longer than 2,000, the time between two signs of life.
   */
  readonly silenceMs?: number;
  /** Called for each batched statement, with the number of calls in it. */
  readonly onGroup?: GroupListener;
  /**
   * Called once, with the reason, if the database has stopped and cannot continue: its engine has crashed, or another
   * process has taken the folder. Every later call fails, so the program should exit and be started again.
   */
  readonly onStopped?: (reason: string) => void;
}

/**
 * Opens the storage on a PostgreSQL that is embedded in this process (PGlite). With `folder`, a commit is on the disk
 * when it is acknowledged.
 *
 * @throws FolderInUse if another process uses the folder
 * @throws Error if the schema of the database is newer than this program
 */
export async function createPgliteStorage({
  folder,
  seed,
  silenceMs,
  ...others
}: PgliteOptions = {}): Promise<Storage> {
  if (folder === undefined) return openStorage(await openMemory(seed), others);
  const lock = await lockFolder(folder, silenceMs);
  try {
    const { engine } = await openDataFolder(lock, seed);
    return await openStorage(engine, { ...others, lock });
  } catch (error) {
    const failure = failureIn(lock, error);
    await lock.release();
    throw failure;
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
    lock?.isDoubted()
      ? 'Writes are refused, because the lock file in the database folder could not be renewed. Check that the disk has free space and that the folder is writable.'
      : undefined;
  const batching = { maxInFlight: 1, maxBatchSize: 64 };
  return assembleStorage({ database, statements: GROUPED, batching, onGroup, hints: NO_HINTS, refuseWrites, close });
}
