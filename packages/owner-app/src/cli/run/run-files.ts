import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUse, type FolderLock, lockFolder } from '@parley/storage-pg';
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

const Process = z.strictObject({
  pid: z.int(),
  startedAt: z.string().nullable(),
  namespace: z.string().nullable(),
  bootId: z.string().nullable(),
});

/** What a runner did so far. Only the runner that holds the lock writes it. */
const Progress = z.strictObject({
  session_id: z.string(),
  role: z.string(),
  /** The client's own id of its conversation. */
  conversation: z.string().optional(),
  runs: z.int(),
  cost: z.number(),
  /** Runs in a row that did nothing for the step. */
  idle: z.int(),
  /** The call under way: its process, where its output begins in the log, and the step that it was started for. */
  call: z.strictObject({ process: Process, offset: z.int(), key: z.string() }).optional(),
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
  /**
   * Makes this process the one runner; the lock ends with the process.
   * @throws CliError if another process is the runner
   */
  lock(): Promise<FolderLock>;
}

export async function runFiles({ environment }: Terminal, given: string): Promise<RunFiles> {
  const folder = await realpath(given).catch(() => {
    throw new CliError(EXIT.USAGE, `The folder ${given} does not exist. The code was not used.`);
  });
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const own = join(settingsFolder(environment), 'runs', name);
  return {
    folder,
    seat: memoryFile(join(own, 'seat.json'), Seat),
    progress: memoryFile(join(own, 'progress.json'), Progress),
    log: join(own, 'output.log'),
    lock: () => lockFolder(own).catch((error: unknown) => refuseSecond(folder, error)),
  };
}

export const codeHash = (code: string): string => createHash('sha256').update(code).digest('hex');

function refuseSecond(folder: string, error: unknown): never {
  if (!(error instanceof FolderInUse)) throw error;
  throw new CliError(
    EXIT.USAGE,
    `Process ${error.pid} runs the agent in ${folder} already: stop it first. The code was not used.`,
  );
}
