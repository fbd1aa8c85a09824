import {
  closeSync,
  type Dirent,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { constants, copyFile, type FileHandle, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { unpackDump } from './dump-archive.ts';
import { type FolderLock, LOST } from './folder-lock.ts';
import {
  databaseIn,
  draftsIn,
  type Generation,
  generationIn,
  isAbsence,
  makeFolders,
  newDraft,
  removeBefore,
  removeDraft,
} from './generations.ts';

const PIECE = 1024 * 1024;
const MOST_PASSES = 200;
const PAUSE_MS = 100;

/**
 * Copies a data folder to which another process may still write into a new folder. Repeats until a whole pass finds no difference, so the
 * copy is the folder as it was at the beginning of that pass. After an error, an incomplete copy remains.
 *
 * @throws Error if the disk has too little space, or if the other process does not stop writing
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await checkSpace(from);
  for (let pass = 1; await copyDifferences(from, to); pass += 1) {
    if (pass === MOST_PASSES)
      throw new Error(`Another process still writes to ${from}. End that process, and start this program again.`);
    await pause(PAUSE_MS);
  }
}

/** Copies each file that differs, and removes each file that is missing in `from`. Returns whether it changed `to`. */
async function copyDifferences(from: string, to: string): Promise<boolean> {
  let isChanged = false;
  const entries = await entriesIn(from);
  for (const [name, entry] of entries) {
    if (entry.isDirectory()) await makeFolders(to, name);
    else if (await copyIfDifferent(join(from, name), join(to, name))) isChanged = true;
  }
  for (const name of (await entriesIn(to)).keys()) {
    if (entries.has(name)) continue;
    await rm(join(to, name), { recursive: true, force: true });
    isChanged = true;
  }
  return isChanged;
}

/** Returns the files and folders in a folder by their relative path. A folder comes before what it contains. */
async function entriesIn(folder: string): Promise<ReadonlyMap<string, Dirent>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.map((entry) => [relative(folder, join(entry.parentPath, entry.name)), entry] as const);
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function copyIfDifferent(from: string, to: string): Promise<boolean> {
  if (await isSame(from, to)) return false;
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    if (!isAbsence(error)) throw error; // The other process has removed the file. The next pass sees that.
  });
  return true;
}

async function isSame(one: string, other: string): Promise<boolean> {
  const files: FileHandle[] = [];
  try {
    const first = await open(one);
    files.push(first);
    const second = await open(other);
    files.push(second);
    return await haveSameBytes(first, second);
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  } finally {
    for (const file of files) await file.close();
  }
}

async function haveSameBytes(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [first, second] = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)];
  for (;;) {
    const { bytesRead } = await one.read(first, 0, PIECE, null);
    const { bytesRead: others } = await other.read(second, 0, PIECE, null);
    if (bytesRead !== others || !first.subarray(0, bytesRead).equals(second.subarray(0, others))) return false;
    if (bytesRead === 0) return true;
  }
}

async function checkSpace(folder: string): Promise<void> {
  let size = 0;
  for (const [name, entry] of await entriesIn(folder))
    if (entry.isFile()) size += (await stat(join(folder, name)).catch(() => null))?.size ?? 0;
  const { bavail, bsize } = await statfs(folder);
  if (size > bavail * bsize) {
    throw new Error(
      `The process that used ${folder} last may still run, so the database must be copied. This needs ${size} bytes, but the disk has only ${bavail * bsize} bytes left. Free space. Or, if no other process uses the folder, delete the files lost-* beside it.`,
    );
  }
}

/** The error number of WASI for an I/O error. */
const EIO = 29;

interface OpenFile {
  /** The descriptor of an open file. Absent for a folder. */
  readonly nfd?: number;
  readonly node: unknown;
}

interface FileDriver {
  stream_ops: { fsync?: (file: OpenFile) => number };
  realPath(node: unknown): string;
}

/**
 * PGlite's file system on a folder, with the fsync calls that PGlite itself does not make. Without fsync, a power cut
 * could lose acknowledged commits.
 */
export class DurableNodeFS extends NodeFS {
  /** Number of fsync calls so far. */
  syncs = 0;

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts, ...rest } = await super.init(...args);
    const addSync = (engine: object): void => this.#addSync(fileDriverOf(engine));
    return { ...rest, emscriptenOpts: { ...emscriptenOpts, preRun: [addSync, ...(emscriptenOpts.preRun ?? [])] } };
  }

  #addSync(driver: FileDriver): void {
    const fsync = (file: OpenFile): number => {
      this.syncs += 1;
      return syncFile(file, driver);
    };
    driver.stream_ops = { ...driver.stream_ops, fsync };
  }
}

function syncFile({ nfd, node }: OpenFile, driver: FileDriver): number {
  try {
    if (nfd === undefined) syncPath(driver.realPath(node));
    else fsyncSync(nfd);
    return 0;
  } catch {
    // EIO stops the engine with a panic, because it is unknown which bytes have reached the disk.
    return EIO;
  }
}

/**
 * Waits until the content of a file or the entries of a folder are on the disk. Does nothing for folders on Windows,
 * which has no such call.
 */
export function syncPath(path: string): void {
  const isFolder = statSync(path).isDirectory();
  if (isFolder && process.platform === 'win32') return;
  const descriptor = openSync(path, isFolder ? 'r' : 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Number of files that `syncTree` writes to the disk at a time. The disk combines them, so this is much faster. */
const SYNCED_TOGETHER = 32;

/** Waits until a folder and everything in it is on the disk. Other work of the process goes on meanwhile. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  for (let from = 0; from < paths.length; from += SYNCED_TOGETHER)
    await Promise.all(paths.slice(from, from + SYNCED_TOGETHER).map(syncInBackground));
}

async function syncInBackground(path: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory();
  if (isFolder && process.platform === 'win32') return;
  const file = await open(path, isFolder ? 'r' : 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Finds the file driver inside PGlite. Throws if this version of PGlite has no such driver, because commits would then
 * not be durable.
 */
function fileDriverOf(engine: object): FileDriver {
  const driver: unknown = 'NODEFS' in engine ? engine.NODEFS : undefined;
  if (isFileDriver(driver)) return driver;
  throw new Error(
    'Parley cannot add fsync to the file system of this version of PGlite. Install the version of @electric-sql/pglite that pnpm-lock.yaml names.',
  );
}

function isFileDriver(driver: unknown): driver is FileDriver {
  if (typeof driver !== 'object' || driver === null) return false;
  if (!('realPath' in driver) || typeof driver.realPath !== 'function') return false;
  return 'stream_ops' in driver && typeof driver.stream_ops === 'object' && driver.stream_ops !== null;
}

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
