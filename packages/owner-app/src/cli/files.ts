import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { absent, FileFault, readRegularFile } from '../server/access/owner-key.ts';
import { CliError, commandFailed } from './exit-codes.ts';

/**
 * Writes a file that only this user can read. Returns its absolute path.
 *
 * @throws CliError with the exit code REFUSED if the file exists already or cannot be written whole
 */
export async function writeNewFile(file: string, content: AsyncIterable<Uint8Array> | string): Promise<string> {
  const path = resolve(file);
  try {
    const target = await open(path, 'wx', 0o600);
    await writeWhole(target, path, content);
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw commandFailed(`${path} exists already, and nothing was written. Name another file.`);
    const reason = error instanceof Error ? error.message : String(error);
    throw commandFailed(`${path} could not be written (${reason}). No part of it is left.`);
  }
  return path;
}

/** Writes the content and closes the file. If that fails, removes the file: it is open, so no later step creates it. */
async function writeWhole(
  target: FileHandle,
  path: string,
  content: AsyncIterable<Uint8Array> | string,
): Promise<void> {
  try {
    await writeFile(target, content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await target.close();
  }
}

/** More bytes than a file with a token has. */
const RESERVED_BYTES = 4_096;

/** A file that does not exist yet under its name, but has its place on the disk. */
interface ReservedFile {
  /** Writes the text, and gives the file its name. An older file of that name is replaced at once. */
  keep(text: string, path: string): Promise<void>;
  giveUp(): Promise<void>;
}

/**
 * Makes a file that only this user can read, and fills it, so that a later short text fits on the disk. For what cannot be had again,
 * such as the token for a code that works once: reserve first, then redeem.
 *
 * @param beside the file has another name in the folder of this path, until it is kept
 */
export async function reserveFile(beside: string): Promise<ReservedFile> {
  await mkdir(dirname(beside), { recursive: true, mode: 0o700 });
  const draft = `${beside}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  const giveUp = async (): Promise<void> => {
    await file.close();
    await rm(draft, { force: true });
  };
  const orGiveUp = async (error: unknown): Promise<never> => {
    await giveUp();
    throw error;
  };
  const fill = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    await file.write(bytes, 0, bytes.length, 0);
    await file.truncate(bytes.length);
    await file.sync();
  };
  // A file of a restrictive umask could not be replaced later.
  await chmod(draft, 0o600).catch(orGiveUp);
  await fill(' '.repeat(RESERVED_BYTES)).catch(orGiveUp);
  return {
    giveUp,
    async keep(text, path) {
      await fill(text).catch(orGiveUp);
      await file.close();
      await rename(draft, path);
    },
  };
}

interface SettingsFile {
  readonly path: string;
  readonly text: string | undefined;
}

/** What the user can do instead of removing what stands in the way, as the rest of a sentence. */
const INSTEAD = 'run the command without --write';

/**
 * Reads a settings file inside a folder. `text` is undefined if the file does not exist.
 *
 * @param file path relative to the folder
 * @throws FileFault if the folder does not exist, or if the path contains a symbolic link
 */
export async function readSettingsFile(folder: string, file: string, instead = INSTEAD): Promise<SettingsFile> {
  const path = await targetIn(await existing(folder), file, instead);
  return { path, text: await readRegularFile(path) };
}

/**
 * Replaces a settings file and returns its path. Checks the path again after creating the folders in it, because
 * another process may have put a symbolic link into the path.
 */
export async function writeSettingsFile(
  folder: string,
  file: string,
  text: string,
  instead = INSTEAD,
): Promise<string> {
  const root = await existing(folder);
  await mkdir(dirname(await targetIn(root, file, instead)), { recursive: true });
  const path = await targetIn(root, file, instead);
  const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;
  const handle = await open(path, O_CREAT | O_NOFOLLOW | O_TRUNC | O_WRONLY, 0o666);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  return path;
}

async function existing(folder: string): Promise<string> {
  const root = await realpath(folder).catch(absent);
  if (root === undefined)
    throw new FileFault(`The folder ${folder} does not exist. Give the agent's repository with --folder.`);
  if (!(await stat(root)).isDirectory())
    throw new FileFault(`${folder} is not a folder. Give the agent's repository with --folder.`);
  return root;
}

/**
 * The path of the file. Refuses a path with a symbolic link, and a file with a second name: the text would replace what the link
 * names, such as a hook of git or a file of the agent's work.
 */
async function targetIn(root: string, file: string, instead: string): Promise<string> {
  const names = file.split('/');
  for (const [index] of names.entries()) {
    const path = join(root, ...names.slice(0, index + 1));
    const known = await lstat(path).catch(absent);
    if (!known) break;
    if (known.isSymbolicLink())
      throw new FileFault(`${path} is a symbolic link. Remove it, or ${instead}. Nothing was written.`);
    const isLast = index === names.length - 1;
    if (isLast ? !known.isFile() : !known.isDirectory())
      throw new FileFault(
        `${path} is not a ${isLast ? 'file' : 'folder'}. Remove it, or ${instead}. Nothing was written.`,
      );
    if (isLast && known.nlink > 1)
      throw new FileFault(
        `${path} has another name too (a hard link). Replace it by a copy, or ${instead}. Nothing was written.`,
      );
  }
  return join(root, file);
}
