import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { basename, dirname } from 'node:path';

/** Whether git tracks or ignores a file. `none`: the file is not in a repository, or git cannot be run. */
export type GitStatus = 'tracked' | 'ignored' | 'untracked' | 'none';

export async function gitStatus(file: string): Promise<GitStatus> {
  if ((await git(file, 'ls-files', '--error-unmatch')) === 0) return 'tracked';
  const code = await git(file, 'check-ignore', '--quiet');
  if (code === 0) return 'ignored';
  return code === 1 ? 'untracked' : 'none';
}

/**
 * Settings against a hostile repository: git runs no program that the repository names, uses no bare repository that is
 * a folder of it, and fetches nothing.
 */
const SAFE = ['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'safe.bareRepository=explicit'];
const QUIET = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

function git(file: string, ...command: readonly string[]): Promise<number | undefined> {
  const args = [...SAFE.flatMap((setting) => ['-c', setting]), '-C', dirname(file), ...command, '--', basename(file)];
  return new Promise((resolve) => {
    execFile('git', args, { env: { ...process.env, ...QUIET } }, (error) =>
      resolve(error === null ? 0 : typeof error.code === 'number' ? error.code : undefined),
    );
  });
}
