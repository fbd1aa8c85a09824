import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Whether git tracks or ignores a file. `none`: the file is not in a repository, or git cannot be run. */
export type GitStatus = 'tracked' | 'ignored' | 'untracked' | 'none';

export async function gitStatus(file: string): Promise<GitStatus> {
  if ((await git(file, 'ls-files', '--error-unmatch')) === 0) return 'tracked';
  const code = await git(file, 'check-ignore', '--quiet');
  if (code === 0) return 'ignored';
  return code === 1 ? 'untracked' : 'none';
}

function git(file: string, ...command: readonly string[]): Promise<number | undefined> {
  const args = ['-C', dirname(file), ...command, '--', basename(file)];
  return new Promise((resolve) => {
    execFile('git', args, (error) =>
      resolve(error === null ? 0 : typeof error.code === 'number' ? error.code : undefined),
    );
  });
}
