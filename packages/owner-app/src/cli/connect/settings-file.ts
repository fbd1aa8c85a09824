import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** Thrown if a path does not exist, leads out of its folder, or has the wrong type. The message is a whole sentence. */
export class PathFault extends Error {
  override readonly name = 'PathFault';
}

export interface SettingsFile {
  readonly path: string;
  readonly text: string | undefined;
}

/**
 * Reads a settings file inside a folder. `text` is undefined if the file does not exist.
 *
 * @param file path relative to the folder
 * @throws PathFault if the folder does not exist, or if a symbolic link leads out of the folder
 */
export async function readSettingsFile(folder: string, file: string): Promise<SettingsFile> {
  const path = await targetIn(await existing(folder), file);
  return { path, text: await readFile(path, 'utf8').catch(absent) };
}

/**
 * Replaces a settings file and returns its path. Checks the path again after creating the folders in it, because
 * another process may have put a symbolic link into the path.
 */
export async function writeSettingsFile(folder: string, file: string, text: string): Promise<string> {
  const root = await existing(folder);
  await mkdir(dirname(await targetIn(root, file)), { recursive: true });
  const path = await targetIn(root, file);
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
    throw new PathFault(`The folder ${folder} does not exist. Give the agent's repository with --folder.`);
  if (!(await stat(root)).isDirectory())
    throw new PathFault(`${folder} is not a folder. Give the agent's repository with --folder.`);
  return root;
}

/** Resolves all symbolic links in the path of the file. Refuses a path that leads out of the folder. */
async function targetIn(root: string, file: string): Promise<string> {
  let path = root;
  const parts = file.split('/');
  for (const [index, part] of parts.entries()) {
    const next = join(path, part);
    const known = await lstat(next).catch(absent);
    if (!known) return join(path, ...parts.slice(index));
    const real = await realpath(next).catch(absent);
    if (real === undefined || !real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new PathFault(
        `${next} is a symbolic link that leads to no file or folder in ${root}. Remove it, or run the command without --write. Nothing was written.`,
      );
    path = real;
  }
  if (!(await stat(path)).isFile())
    throw new PathFault(`${join(root, basename(path))} is not a file. Remove it, or run the command without --write.`);
  return path;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
