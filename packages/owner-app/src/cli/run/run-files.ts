import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUse, type FolderLock, lockFolder } from '@parley/storage-pg';
import { z } from 'zod';
import { type MemoryFile, memoryFile } from '../agent/memory-file.ts';
import { settingsFolder } from '../connect/token-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** An agent's session, role and token. Written when a code is redeemed, also by `parley run --code` for a waiting runner. */
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

/** The progress of a runner. Only the runner that holds the lock writes the progress. */
const Progress = z.strictObject({
  session_id: z.string(),
  role: z.string(),
  /** The client's own id of its conversation. */
  conversation: z.string().optional(),
  runs: z.int(),
  cost: z.number(),
  /** Number of runs in a row after which the step was the same as before. */
  idle: z.int(),
  /** The call under way: its process, the offset of its output in the log, and the step for which it was started. */
  call: z.strictObject({ process: Process, offset: z.int(), key: z.string() }).optional(),
});
export type Progress = z.output<typeof Progress>;

/** Files about the agent that works in a folder, stored below the user's configuration. A folder has one agent. */
export interface RunFiles {
  /** The real path of the agent's repository. */
  readonly folder: string;
  readonly seat: MemoryFile<Seat>;
  readonly progress: MemoryFile<Progress>;
  /** The output of all runs. */
  readonly log: string;
  /**
   * Makes this process the only runner of the folder. The lock ends with the process.
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
