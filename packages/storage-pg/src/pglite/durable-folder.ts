import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

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
