import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { copyDatabase } from './copy-database.ts';
import { unpackDump } from './dump-archive.ts';
import { DurableNodeFS, syncPath, syncTree } from './durable-folder.ts';
import { type FolderLock, LOST } from './folder-lock.ts';
import {
  databaseIn,
  draftsIn,
  type Generation,
  generationIn,
  newDraft,
  removeBefore,
  removeDraft,
} from './generations.ts';

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

interface OpenFolder {
  readonly engine: PGlite;
  /** The file system of the engine. Its member `syncs` counts the fsync calls. */
  readonly files: DurableNodeFS;
}

/**
 * Opens the database in a folder that this process has locked. If there is no database, creates it, from `seed` if
 * given. If the folder was taken from a process that may still live, copies the database into a new generation first.
 */
export async function openDataFolder(lock: FolderLock, seed?: Blob): Promise<OpenFolder> {
  const { path } = await prepareGeneration(lock, async (draft) => {
    const { engine } = await openEngine(draft, seed);
    await engine.close();
  });
  checkMajor(path);
  return openEngine(path).catch((error: unknown) => {
    throw damaged(`The embedded database in ${path}`, 'Restore a backup: parley restore FILE --data NEW_FOLDER', error);
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

/** Creates the database of a folder that has none from a dump. If the dump is invalid, no files remain. */
export async function makeFromDump(lock: FolderLock, dump: Blob): Promise<void> {
  await prepareGeneration(lock, async (draft) => {
    await unpackDump(dump, draft, MAJOR);
    const { engine } = await openEngine(draft).catch((error: unknown) => {
      throw damaged('The database in this archive', 'Restore another backup file.', error);
    });
    await engine.close();
  });
}

/**
 * Returns the generation that this process uses. The order of the steps is what keeps the database apart from a process
 * that loses the folder at any moment: the folder is read first, and the claim is looked at afterwards. So the process
 * that takes the folder over chooses a later generation than the one that is found here.
 */
async function prepareGeneration(lock: FolderLock, create: (draft: string) => Promise<void>): Promise<Generation> {
  const { folder } = lock;
  const found = databaseIn(folder);
  const drafts = draftsIn(folder);
  const lost = lock.lostClaims();
  if (!lock.isHeld()) throw new Error(LOST);
  for (const draft of drafts) removeDraft(folder, draft);
  const isTaken = lost.length > 0;
  const current = found !== undefined && !isTaken ? found : await makeGeneration(lock, { found, isTaken }, create);
  removeBefore(folder, current);
  for (const claim of lost) rmSync(claim, { force: true });
  return current;
}

/**
 * Makes a generation in a draft, which is renamed when it is complete and on the disk. So a crash never leaves an
 * incomplete database. The rename fails if another process has made the same generation.
 */
async function makeGeneration(
  { folder }: FolderLock,
  { found, isTaken }: { readonly found: Generation | undefined; readonly isTaken: boolean },
  create: (draft: string) => Promise<void>,
): Promise<Generation> {
  const draft = newDraft(folder);
  const made = generationIn(folder, isTaken ? (found?.number ?? 0) + 1 : 0);
  try {
    mkdirSync(draft, { mode: 0o700 });
    await (found === undefined ? create(draft) : copyDatabase(found.path, draft));
    await syncTree(draft);
    renameSync(draft, made.path);
    syncPath(folder);
    return made;
  } catch (error) {
    removeDraft(folder, draft);
    throw error;
  }
}

async function openEngine(data: string, seed?: Blob): Promise<OpenFolder> {
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
