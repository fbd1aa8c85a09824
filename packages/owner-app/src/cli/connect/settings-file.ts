import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { absent, FileFault, readRegularFile } from '../../server/access/owner-key.ts';

export interface SettingsFile {
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
