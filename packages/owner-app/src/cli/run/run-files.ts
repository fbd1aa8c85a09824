import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUse, type FolderLock, lockFolder } from '@parley/storage-pg';
import { z } from 'zod';
import { agentFolder } from '../agent/agent-folder.ts';
import { type MemoryFile, memoryFile } from '../agent/memory-file.ts';
import { type Seat, seatFile } from '../agent/seat-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

const Process = z.strictObject({
  pid: z.int(),
  startedAt: z.string().nullable(),
  namespace: z.string().nullable(),
  bootId: z.string().nullable(),
});

/** The progress of a runner. A folder has only one runner at a time. */
const Progress = z.strictObject({
  session_id: z.string(),
  role: z.string(),
  /** The conversation id that the client reported. */
  conversation: z.string().optional(),
  runs: z.int(),
  cost: z.number(),
  /** Number of runs in a row that did not change the next step. */
  idle: z.int(),
  /**
   * The run in progress: the client's process, the byte offset in the file `log` at which the output of the run begins,
   * and the key of the step for which the client was started.
   */
  call: z.strictObject({ process: Process, offset: z.int(), key: z.string() }).optional(),
});
export type Progress = z.output<typeof Progress>;

/**
 * The files with the data of the agent that works in a folder. These files are in the user's configuration folder. A
 * folder has at most one agent.
 */
export interface RunFiles {
  /** The path of the agent's repository after all symbolic links are resolved. */
  readonly folder: string;
  readonly seat: MemoryFile<Seat>;
  readonly progress: MemoryFile<Progress>;
  /** Path of the file with the output of all runs of the client. */
  readonly log: string;
  /**
   * Makes this process the only runner of the folder, until the lock is released or the process ends.
   *
   * @throws CliError if another process is the runner
   */
  lock(): Promise<FolderLock>;
}

export async function runFiles({ environment }: Terminal, given: string): Promise<RunFiles> {
  const { folder, own } = await agentFolder(environment, given).catch(() => {
    throw new CliError(
      EXIT.USAGE,
      `The folder ${given} does not exist. Give the agent's repository with --folder. No invitation code was used.`,
    );
  });
  return {
    folder,
    seat: seatFile(own),
    progress: memoryFile(join(own, 'progress.json'), Progress),
    log: join(own, 'output.log'),
    lock: async () => {
      const lock = await lockFolder(own).catch((error: unknown) => refuseSecond(folder, error));
      for (const claim of lock.lostClaims()) await rm(claim, { force: true });
      return lock;
    },
  };
}

/** Returns the stored progress if it belongs to this session and role. Otherwise stores an empty progress. */
export async function startProgress({ progress }: RunFiles, { session_id, role }: Seat): Promise<Progress> {
  const former = await progress.read();
  if (former?.session_id === session_id && former.role === role) return former;
  const started = { session_id, role, runs: 0, cost: 0, idle: 0 };
  await progress.write(started);
  return started;
}

function refuseSecond(folder: string, error: unknown): never {
  if (!(error instanceof FolderInUse)) throw error;
  throw new CliError(
    EXIT.USAGE,
    `Process ${error.pid} already runs the agent in ${folder}. Stop that process first. No invitation code was used.`,
  );
}
