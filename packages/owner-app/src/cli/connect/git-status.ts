import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { basename, dirname } from 'node:path';

/**
 * Whether git tracks or ignores a file. `none`: the file is not in a repository, or git cannot be run. `unknown`: git did not
 * end in time, for example because a file of the repository is a named pipe.
 */
export type GitStatus = 'tracked' | 'ignored' | 'untracked' | 'none' | 'unknown';

export async function gitStatus(file: string): Promise<GitStatus> {
  const listed = await git(file, 'ls-files', '--error-unmatch');
  if (listed === 0) return 'tracked';
  const code = listed === STOPPED ? STOPPED : await git(file, 'check-ignore', '--quiet');
  if (code === STOPPED) return 'unknown';
  if (code === 0) return 'ignored';
  return code === 1 ? 'untracked' : 'none';
}

/**
 * Settings against a hostile repository: git runs no program that the repository names, uses no bare repository that is
 * a folder of it, and fetches nothing.
 */
const SAFE = ['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'safe.bareRepository=explicit'];
const QUIET = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

/** Milliseconds for which git may run. */
const MOST_MS = 5_000;
/** In place of the exit code of a git that was stopped. */
const STOPPED = 'stopped';

function git(file: string, ...command: readonly string[]): Promise<number | typeof STOPPED | undefined> {
  const args = [...SAFE.flatMap((setting) => ['-c', setting]), '-C', dirname(file), ...command, '--', basename(file)];
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...QUIET }, timeout: MOST_MS, killSignal: 'SIGKILL' } as const;
    execFile('git', args, options, (error) => {
      if (error?.killed) resolve(STOPPED);
      else resolve(error === null ? 0 : typeof error.code === 'number' ? error.code : undefined);
    });
  });
}
