import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '@parley/core/hash';
import { parseOrNull } from '@parley/core/json';
import { z } from 'zod';
import { readRegularFile } from '../../server/access/owner-key.ts';
import { type RedeemRequest, redeemCode, settingsFolder } from '../connect/redeem.ts';
import { commandFailed, wrongUsage } from '../exit-codes.ts';
import { reserveFile } from '../files.ts';
import type { Terminal } from '../terminal.ts';

export interface MemoryFile<T> {
  readonly path: string;
  /** Returns the stored data, or undefined if the file does not exist or its content does not match the schema. */
  read(): Promise<T | undefined>;
  write(value: T): Promise<void>;
  /** Makes sure that a value can be written. Returns the functions that write it, or leave the file as it was. */
  reserve(): Promise<{ write(value: T): Promise<void>; giveUp(): Promise<void> }>;
  remove(): Promise<void>;
}

/** A JSON file in which a command stores data for its next run. A write replaces the whole file atomically. */
export function memoryFile<T>(path: string, schema: z.ZodType<T>): MemoryFile<T> {
  const reserve: MemoryFile<T>['reserve'] = async () => {
    const { keep, giveUp } = await reserveFile(path);
    return { giveUp, write: (value) => keep(`${JSON.stringify(value)}\n`, path) };
  };
  return {
    path,
    async read() {
      const text = (await readRegularFile(path).catch(() => undefined)) ?? '';
      return schema.safeParse(parseOrNull(text)).data;
    },
    reserve,
    write: async (value) => (await reserve()).write(value),
    remove: () => rm(path, { force: true }),
  };
}

/**
 * The session, the role and the token of an agent. Stored when the runner redeems a code, or when `parley run --code`
 * redeems a code for the runner.
 */
const Seat = z.strictObject({
  session_id: z.string(),
  role: z.string(),
  url: z.string(),
  token: z.string(),
  /**
   * SHA-256 of the invitation code. If `parley run` is called again with the same code, the runner continues with the
   * stored token and does not redeem the code again.
   */
  code_sha256: z.string(),
});
export type Seat = z.output<typeof Seat>;

/** @param own the folder in which the runner keeps its files */
export const seatFile = (own: string): MemoryFile<Seat> => memoryFile(join(own, 'seat.json'), Seat);

/** The folder in which an agent works, and the folder with its data, which is outside of every repository. */
interface AgentFolder {
  /** The path after all symbolic links are resolved. */
  readonly folder: string;
  readonly own: string;
}

/** @throws CliError if the folder does not exist */
export async function agentFolder(environment: Terminal['environment'], given: string): Promise<AgentFolder> {
  const folder = await realpath(given).catch(() => {
    throw wrongUsage(`The folder ${given} does not exist. Give the agent's repository with --folder.`);
  });
  const name = sha256Hex(folder).slice(0, 16);
  return { folder, own: join(settingsFolder(environment), 'runs', name) };
}

/** The token that an agent in a folder has got by `parley run` or `parley mcp`. Undefined if there is none. */
export const seatIn = async (environment: Terminal['environment'], folder: string): Promise<Seat | undefined> =>
  seatFile((await agentFolder(environment, folder)).own).read();

/**
 * Redeems an invitation code, and stores the token in the file of the folder in which the agent works. A code works once, so the file
 * is made first.
 */
export async function takeSeat(file: MemoryFile<Seat>, request: RedeemRequest): Promise<Seat> {
  const place = await file.reserve().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw commandFailed(`The token cannot be stored in ${file.path} (${reason}). The invitation code was not used.`);
  });
  const { sessionId, role, token, url } = await redeemCode(request).catch(async (error: unknown) => {
    await place.giveUp();
    throw error;
  });
  const seat = { session_id: sessionId, role, url, token, code_sha256: sha256Hex(request.code) };
  await place.write(seat);
  return seat;
}
