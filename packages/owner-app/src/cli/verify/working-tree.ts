import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { visible } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { git } from '../git.ts';

export interface WorkingTree {
  /** The whole id of the commit that is checked out. */
  readonly commit: string;
  /** Paths that differ from the commit, seen from the root of the repository. */
  readonly changed: readonly string[];
}

interface Look {
  /** Files that the run itself writes, such as the report. They are no change. */
  readonly besides: readonly string[];
  /** Whether a file that git does not know is a change. */
  readonly untracked: boolean;
}

const STATUS = ['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=none'];

/**
 * What is checked out in a folder.
 *
 * @throws CliError USAGE if the folder is in no repository with a commit, or git does not answer
 */
export async function workingTree(folder: string, { besides, untracked }: Look): Promise<WorkingTree> {
  const read = async (...command: readonly string[]): Promise<string> => {
    const { code, out } = await git(folder, ...command);
    if (code === 0) return out;
    throw new CliError(
      EXIT.USAGE,
      `git does not know what is checked out in ${visible(folder)}: git ${command[0]} failed.`,
    );
  };
  const commit = (await read('rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}')).trim();
  const root = (await read('rev-parse', '--show-toplevel')).replace(/\n$/, '');
  const own = await Promise.all(besides.map((path) => pathIn(root, resolve(folder, path))));
  const listed = await read(...STATUS, `--untracked-files=${untracked ? 'all' : 'no'}`);
  const changed = listed
    .split('\0')
    .map((entry) => entry.slice(3))
    .filter((path) => path !== '' && !own.includes(path));
  return { commit, changed };
}

async function pathIn(root: string, path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return relative(await realpath(root), join(folder, basename(path))).replaceAll('\\', '/');
}
