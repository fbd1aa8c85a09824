import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { basename, dirname } from 'node:path';

/**
 * Settings against a hostile repository: git runs no program that the repository names, uses no bare repository that is
 * a folder of it, replaces no commit by another, and fetches nothing.
 */
const SAFE = ['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'safe.bareRepository=explicit'];
const QUIET = { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

/** Maximum size of the output of git, in bytes; a longer output counts as a failure. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Milliseconds for which git may run. */
const MOST_MS = 5_000;
/** In place of the exit code of a git that was stopped. */
const STOPPED = 'stopped';

interface GitResult {
  /** The exit code. Undefined if git cannot be run. */
  readonly code: number | typeof STOPPED | undefined;
  readonly out: string;
}

export function git(folder: string, ...command: readonly string[]): Promise<GitResult> {
  const args = ['--no-replace-objects', ...SAFE.flatMap((setting) => ['-c', setting]), '-C', folder, ...command];
  const limits = { timeout: MOST_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
  return new Promise((resolve) => {
    execFile('git', args, { env: { ...ownEnvironment(), ...QUIET }, ...limits }, (error, out) => {
      if (error?.killed) resolve({ code: STOPPED, out: '' });
      else resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : undefined, out });
    });
  });
}

/** The environment without variables of git, which would lead to another repository than that of the folder. */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

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
