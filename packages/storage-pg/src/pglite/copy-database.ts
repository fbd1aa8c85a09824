import type { Dirent } from 'node:fs';
import { constants, copyFile, type FileHandle, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAbsence, makeFolders } from './make-folders.ts';

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
