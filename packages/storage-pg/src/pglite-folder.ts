import { toPortFailure } from './database/failures.ts';
import { readSchemaStatus, type SchemaStatus } from './migrations/schema-version.ts';
import { makeFromDump, openDataFolder } from './pglite/data-folder.ts';
import { type FolderLock, failureIn, LOST, lockFolder, readHolder } from './pglite/folder-lock.ts';
import { databaseIn } from './pglite/generations.ts';
import { openDatabase } from './pglite/open-database.ts';

/**
 * Reads the schema version of an embedded database. Changes nothing.
 *
 * @returns null if the folder has no database
 * @throws FolderInUse if another process uses the folder
 */
export async function readPgliteSchema({ folder }: { readonly folder: string }): Promise<SchemaStatus | null> {
  if (databaseIn(folder) === undefined) return null;
  return locked(folder, async (lock) => {
    const { engine } = await openDataFolder(lock);
    const { database, stop } = openDatabase(engine);
    try {
      return await readSchemaStatus(database);
    } catch (error) {
      throw toPortFailure(error, 'read');
    } finally {
      await stop();
    }
  });
}

/** Milliseconds after which a process's claim on a folder is stale if not renewed. Live processes renew more often. */
const SILENCE_MS = 5_000;

/**
 * Reads the id of the process that uses an embedded database, without claiming the folder.
 *
 * @returns null if no process uses the database; undefined if the folder has no database
 */
export async function readPgliteHolder({ folder }: { readonly folder: string }): Promise<number | null | undefined> {
  if (databaseIn(folder) === undefined) return undefined;
  return (await readHolder(folder, SILENCE_MS))?.pid ?? null;
}

/**
 * Writes the whole embedded database to a compressed archive in memory, for `restorePglite` and the option `seed`.
 *
 * @returns null if the folder has no database
 * @throws FolderInUse if another process uses the folder
 */
export async function dumpPglite({ folder }: { readonly folder: string }): Promise<Blob | null> {
  if (databaseIn(folder) === undefined) return null;
  return locked(folder, async (lock) => {
    const { engine } = await openDataFolder(lock);
    try {
      await engine.exec('checkpoint');
      return await engine.dumpDataDir('gzip');
    } finally {
      await engine.close();
    }
  });
}

/**
 * Creates the folder of an embedded database from the output of `dumpPglite`. After a crash, the folder is either
 * complete or absent.
 *
 * @throws FolderInUse if another process uses the folder
 * @throws Error if the folder already has a database, or the dump is invalid
 */
export async function restorePglite({ folder, dump }: { readonly folder: string; readonly dump: Blob }): Promise<void> {
  await locked(folder, async (lock) => {
    if (databaseIn(folder) !== undefined)
      throw new Error(`The folder ${folder} already contains a database. Name an empty folder.`);
    await makeFromDump(lock, dump);
  });
}

async function locked<T>(folder: string, work: (lock: FolderLock) => Promise<T>): Promise<T> {
  const lock = await lockFolder(folder);
  try {
    const result = await work(lock);
    if (!lock.isHeld()) throw new Error(LOST);
    return result;
  } catch (error) {
    throw failureIn(lock, error);
  } finally {
    await lock.release();
  }
}
