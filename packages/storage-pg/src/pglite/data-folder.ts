import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { unpackDump } from './dump-archive.ts';
import { DurableNodeFS, syncPath } from './durable-folder.ts';

/** The major version of PostgreSQL in PGlite. PGlite cannot open a data folder of another major version. */
const MAJOR = '18';

/**
 * Settings for the start of the engine. The defaults of PGlite would turn fsync off and use as much memory as a server.
 * `wal_sync_method` is fsync, because `DurableNodeFS` adds only fsync to the file system, not fdatasync.
 */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['wal_sync_method=fsync', 'shared_buffers=16MB', 'max_wal_size=64MB', 'min_wal_size=32MB'].flatMap((setting) => [
    '-c',
    setting,
  ]),
];

export const postgresIn = (folder: string): string => join(folder, 'postgres');
const draftIn = (folder: string): string => join(folder, 'postgres.new');

/**
 * Opens the database in a folder that this process has locked. If there is no database, creates it, from `seed` if
 * given.
 *
 * @returns the engine and its file system; the member `syncs` of the file system counts the fsync calls
 */
export async function openDataFolder(folder: string, seed?: Blob): Promise<{ engine: PGlite; files: DurableNodeFS }> {
  const data = postgresIn(folder);
  if (!existsSync(data)) await makeDataFolder(draftIn(folder), data, seed);
  checkMajor(data);
  return openEngine(data).catch((error: unknown) => {
    throw damaged(`The embedded database in ${data}`, 'Restore a backup: parley restore FILE --data NEW_FOLDER', error);
  });
}

/**
 * Makes the error for a database that cannot be opened. Returns an error of the operating system, such as ENOSPC,
 * unchanged. For any other error, the message says that the database is damaged, because the engine's own message does
 * not say so.
 */
function damaged(database: string, hint: string, error: unknown): unknown {
  if (!(error instanceof Error) || ('code' in error && typeof error.code === 'string')) return error;
  return new Error(`${database} cannot be opened: it is damaged or incomplete. ${hint}`, { cause: error });
}

/** Creates the database of a folder from a dump. If the dump is invalid, no files remain. */
export async function makeFromDump(folder: string, dump: Blob): Promise<void> {
  const draft = draftIn(folder);
  try {
    rmSync(draft, { recursive: true, force: true });
    await unpackDump(dump, draft, MAJOR);
    await settle(draft, postgresIn(folder)).catch((error: unknown) => {
      throw damaged('The database in this archive', 'Restore another backup file.', error);
    });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates the database in a temporary folder, which is renamed when the database is complete. So a crash never leaves
 * an incomplete database.
 */
async function makeDataFolder(draft: string, data: string, seed: Blob | undefined): Promise<void> {
  rmSync(draft, { recursive: true, force: true });
  await settle(draft, data, seed);
}

/**
 * Completes a database in a temporary folder: opens it once to detect damage, writes it to the disk, and renames the
 * folder.
 */
async function settle(draft: string, data: string, seed?: Blob): Promise<void> {
  const { engine } = await openEngine(draft, seed);
  await engine.close();
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(draft);
  renameSync(draft, data);
  syncPath(join(data, '..'));
}

async function openEngine(data: string, seed?: Blob): Promise<{ engine: PGlite; files: DurableNodeFS }> {
  const files = new DurableNodeFS(data);
  const source = seed === undefined ? {} : { loadDataDir: seed };
  const engine = await PGlite.create({ fs: files, startParams: START_PARAMS, ...source });
  return { engine, files };
}

function checkMajor(data: string): void {
  const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (major !== MAJOR) {
    throw new Error(
      `The database in ${data} has the format of PostgreSQL ${major}, but this program needs the format of PostgreSQL ${MAJOR}. Start the version of Parley that created it.`,
    );
  }
}
