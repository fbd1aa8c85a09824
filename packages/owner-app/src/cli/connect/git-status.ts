import { basename, dirname } from 'node:path';
import { git, STOPPED } from '../git.ts';

/**
 * Whether git tracks or ignores a file. `none`: the file is not in a repository, or git cannot be run. `unknown`: git did not
 * end in time, for example because a file of the repository is a named pipe.
 */
export type GitStatus = 'tracked' | 'ignored' | 'untracked' | 'none' | 'unknown';

export async function gitStatus(file: string): Promise<GitStatus> {
  const ask = async (...command: readonly string[]) =>
    (await git(dirname(file), ...command, '--', basename(file))).code;
  const listed = await ask('ls-files', '--error-unmatch');
  if (listed === 0) return 'tracked';
  const code = listed === STOPPED ? STOPPED : await ask('check-ignore', '--quiet');
  if (code === STOPPED) return 'unknown';
  if (code === 0) return 'ignored';
  return code === 1 ? 'untracked' : 'none';
}
