import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '@parley/core/json';
import { identifyProcess, isStillRunning, type ProcessIdentity } from '@parley/storage-pg';
import type { Json } from '../../text/read-as.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { CallInput, Driver } from './drivers.ts';

/** Milliseconds between two checks whether the client of an ended runner still runs. */
const LOOK_MS = 500;

export interface Call {
  readonly driver: Driver;
  readonly input: CallInput;
  readonly folder: string;
  readonly log: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Called when the process of the client has started. `offset` is the length of the file `log` in bytes at that time.
   * If the promise rejects, the client is killed.
   */
  readonly onStarted: (process: ProcessIdentity, offset: number) => Promise<void>;
}

/**
 * Runs the client once, and resolves when the client ends. The client has its own process group and writes its output
 * to the file `log`, so Ctrl-C or the end of this process does not end the client.
 *
 * @throws CliError if the program cannot be started
 */
export async function callClient({ driver, input, folder, log, environment, onStarted }: Call): Promise<void> {
  const { program, args, isShell } = driver.command(input);
  await mkdir(dirname(log), { recursive: true, mode: 0o700 });
  const output = await open(log, 'a', 0o600);
  try {
    const { size } = await output.stat();
    const child = spawn(program, [...args], {
      cwd: folder,
      env: { ...environment, PARLEY_PROMPT: input.prompt },
      stdio: ['ignore', output.fd, output.fd],
      detached: true,
      shell: isShell ?? false,
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await once(child, 'spawn').catch((error: Error) => {
      throw new CliError(
        EXIT.USAGE,
        `${program} cannot be started: ${error.message}. Install it, or add its folder to the PATH.`,
      );
    });
    const { pid = 0 } = child;
    try {
      await onStarted(identifyProcess(pid), size);
    } catch (error) {
      // The process id could not be stored. If the client kept running, the next runner would start a second client
      // beside it.
      process.kill(-pid, 'SIGKILL');
      throw error;
    }
    await ended;
  } finally {
    await output.close();
  }
}

/** Resolves when the client of an earlier runner has ended, or when the signal aborts. */
export async function outlive(call: ProcessIdentity, signal: AbortSignal): Promise<void> {
  while (isStillRunning(call) && !signal.aborted) await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
}

/** Parses the lines of the file `log` from a byte offset on. Lines that are not JSON objects are ignored. */
export async function jsonLines(log: string, offset: number): Promise<readonly Json[]> {
  const known = await stat(log).catch(() => undefined);
  if (!known || known.size <= offset) return [];
  const text = (await readFile(log)).subarray(offset).toString('utf8');
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = line.startsWith('{') ? JSON.parse(line) : undefined;
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
