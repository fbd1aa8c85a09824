import { existsSync } from 'node:fs';
import { toPortFailure } from './failures.ts';
import { makeFromDump, openDataFolder, postgresIn } from './pglite/data-folder.ts';
import { lockFolder, readHolder } from './pglite/folder-lock.ts';
import { openDatabase } from './pglite/open-database.ts';
import { readSchemaStatus, type SchemaStatus } from './schema-version.ts';

/**
 * Looks where the tables of an embedded database stand, and changes nothing.
 *
 * @returns null where the folder holds no database
 * @throws FolderInUse when another process uses the folder
 */
export async function readPgliteSchema({ folder }: { readonly folder: string }): Promise<SchemaStatus | null> {
  if (!existsSync(postgresIn(folder))) return null;
  return locked(folder, async () => {
    const { engine } = await openDataFolder(folder);
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

/** Longer than two signs of life are apart. */
const SILENCE_MS = 5_000;

/**
 * Who uses an embedded database, without a claim of its own.
 *
 * @returns the number of the process, or null where nobody does; undefined where the folder holds no database
 */
export async function readPgliteHolder({ folder }: { readonly folder: string }): Promise<number | null | undefined> {
  if (!existsSync(postgresIn(folder))) return undefined;
  return (await readHolder(folder, SILENCE_MS))?.pid ?? null;
}

/**
 * The whole embedded database as a compressed archive, as of now: what `restorePglite` makes a folder of, and what
 * `seed` takes. It is held in memory.
 *
 * @returns null where the folder holds no database
 * @throws FolderInUse when another process uses the folder
 */
export async function dumpPglite({ folder }: { readonly folder: string }): Promise<Blob | null> {
  if (!existsSync(postgresIn(folder))) return null;
  return locked(folder, async () => {
    const { engine } = await openDataFolder(folder);
    try {
      await engine.exec('checkpoint');
      return await engine.dumpDataDir('gzip');
    } finally {
      await engine.close();
    }
  });
}

/**
 * Makes the folder of an embedded database from what `dumpPglite` gave. It appears whole or not at all.
 *
 * @throws FolderInUse when another process uses the folder
 * @throws Error when the folder holds a database, or the dump is none
 */
export async function restorePglite({ folder, dump }: { readonly folder: string; readonly dump: Blob }): Promise<void> {
  await locked(folder, async () => {
    if (existsSync(postgresIn(folder))) throw new Error(`The folder ${folder} holds a database already.`);
    await makeFromDump(folder, dump);
  });
}

async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockFolder(folder);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
