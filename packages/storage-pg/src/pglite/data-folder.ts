import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { unpackDump } from './dump-archive.ts';
import { DurableNodeFS, syncPath } from './durable-folder.ts';

/** The PostgreSQL that PGlite is made of; the folder of another one cannot be opened. */
const MAJOR = '18';

/** PGlite starts without fsync and with the memory of a server. `fdatasync` cannot be added to it, `fsync` can. */
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
 * Opens the database in a folder that this process has locked; makes it on first use, or from a dumped one.
 *
 * @returns the engine and its file system, whose `syncs` count the fsync calls
 */
export async function openDataFolder(folder: string, seed?: Blob): Promise<{ engine: PGlite; files: DurableNodeFS }> {
  const data = postgresIn(folder);
  if (!existsSync(data)) await makeDataFolder(draftIn(folder), data, seed);
  checkMajor(data);
  return openEngine(data).catch((error: unknown) => {
    throw damaged(`The embedded database in ${data}`, 'Restore a backup: parley restore FILE --data NEW_FOLDER', error);
  });
}

/** What the engine says of a database that it cannot open names no cause; what the system says, such as ENOSPC, does. */
function damaged(database: string, hint: string, error: unknown): unknown {
  if (!(error instanceof Error) || ('code' in error && typeof error.code === 'string')) return error;
  return new Error(`${database} cannot be opened: it is damaged or incomplete. ${hint}`, { cause: error });
}

/** Makes the database of a folder from a dumped one; a dump that is none leaves nothing behind. */
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

/** Made aside and renamed when it is whole: a crash in between leaves nothing that looks like a database. */
async function makeDataFolder(draft: string, data: string, seed: Blob | undefined): Promise<void> {
  rmSync(draft, { recursive: true, force: true });
  await settle(draft, data, seed);
}

/** Opens the database of a draft once, so that a damaged one is noticed, and gives it its name. */
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
