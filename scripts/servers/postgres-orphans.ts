import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entries } from './postgres-programs.ts';

export const FOLDER_PREFIX = 'parley-pg-';
export const RUNNER_FILE = 'runner.pid';
const STARTING_MS = 60_000;

/** Stops PostgreSQL servers that a killed test runner has left running, and removes their folders. */
export function removeOrphans(): void {
  for (const name of entries(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(tmpdir(), name);
    if (isOwned(folder)) continue;
    const server = pidIn(join(folder, 'data', 'postmaster.pid'));
    try {
      if (server !== undefined && isServerOf(server, folder)) process.kill(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // The folder belongs to another user. Only that user can remove it.
    }
  }
}

function isOwned(folder: string): boolean {
  const runner = pidIn(join(folder, RUNNER_FILE));
  if (runner !== undefined) return isAlive(runner);
  return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - STARTING_MS;
}

function isServerOf(pid: number, folder: string): boolean {
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  return command.stdout?.includes(folder) ?? false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pidIn(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}
