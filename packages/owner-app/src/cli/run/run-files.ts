import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type MemoryFile, memoryFile } from '../agent/memory-file.ts';
import { settingsFolder } from '../connect/token-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** The seat of an agent: written when a code is redeemed, also by `parley run --code` while a runner waits for it. */
const Seat = z.strictObject({
  session_id: z.string(),
  role: z.string(),
  url: z.string(),
  token: z.string(),
  /** SHA-256 of the code, so that the same command line resumes instead of redeeming it again. */
  code_sha256: z.string(),
});
export type Seat = z.output<typeof Seat>;

/** What a runner did so far. Only the runner writes it. */
const Progress = z.strictObject({
  session_id: z.string(),
  role: z.string(),
  /** Process id of the runner. */
  runner: z.int(),
  /** The client's own id of its conversation. */
  conversation: z.string().optional(),
  runs: z.int(),
  cost: z.number(),
  /** Runs in a row that did nothing for the step. */
  idle: z.int(),
  /** The call under way: process id, where its output begins in the log, and the step that it was started for. */
  call: z.strictObject({ pid: z.int(), offset: z.int(), key: z.string() }).optional(),
});
export type Progress = z.output<typeof Progress>;

/** The files of the agent in a folder, below the user's configuration; one agent for each folder. */
export interface RunFiles {
  /** The real path of the agent's repository. */
  readonly folder: string;
  readonly seat: MemoryFile<Seat>;
  readonly progress: MemoryFile<Progress>;
  /** The output of all runs. */
  readonly log: string;
}

export async function runFiles({ environment }: Terminal, given: string): Promise<RunFiles> {
  const folder = await realpath(given).catch(() => {
    throw new CliError(EXIT.USAGE, `The folder ${given} does not exist. The code was not used.`);
  });
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const path = (ending: string): string => join(settingsFolder(environment), 'runs', `${name}${ending}`);
  return {
    folder,
    seat: memoryFile(path('.seat.json'), Seat),
    progress: memoryFile(path('.json'), Progress),
    log: path('.log'),
  };
}

export const codeHash = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Whether a process runs; a process of another user counts as running. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
