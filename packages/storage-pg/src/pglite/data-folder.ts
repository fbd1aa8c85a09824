import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { unpackDump } from './dump-archive.ts';
import { DurableNodeFS, syncPath } from './durable-folder.ts';

/** The PostgreSQL version in PGlite; it cannot open the data folder of another version. */
const MAJOR = '18';

/**
 * Settings of the engine: PGlite starts without fsync and with the memory settings of a server. `fsync` can be added to
 * PGlite's file system, `fdatasync` cannot.
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
 * Opens the database in a folder that this process has locked; creates it on first use, or from a dump.
 * @returns the engine and its file system, whose `syncs` counts the fsync calls
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
 * Adds the system's error, such as ENOSPC, because the engine's error for a database that it cannot open names no
 * cause.
 */
function damaged(database: string, hint: string, error: unknown): unknown {
  if (!(error instanceof Error) || ('code' in error && typeof error.code === 'string')) return error;
  return new Error(`${database} cannot be opened: it is damaged or incomplete. ${hint}`, { cause: error });
}

/** Creates the database of a folder from a dump; an invalid dump leaves nothing behind. */
export async function makeFromDump(folder: string, dump: Blob): Promise<void> {
  const draft = draftIn(folder);
  try {
    rmSync(draft, { recursive: true, force: true });
    await unpackDump(dump, draft, MAJOR);
    await settle(draft, postgresIn(folder)).catch((error: unknown) => {
      throw damaged('The database in this archive', 'Take another backup.', error);
    });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates the database in a temporary folder and renames it when it is complete, so that a crash leaves nothing that
 * looks like a database.
 */
async function makeDataFolder(draft: string, data: string, seed: Blob | undefined): Promise<void> {
  rmSync(draft, { recursive: true, force: true });
  await settle(draft, data, seed);
}

/** Opens the database of a draft once, to detect damage, then renames the draft. */
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
    throw new Error(`The database in ${data} is of PostgreSQL ${major}; this program opens ${MAJOR} only.`);
  }
}
