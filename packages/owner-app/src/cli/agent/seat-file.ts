import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type MemoryFile, memoryFile } from './memory-file.ts';

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

export const codeHash = (code: string): string => createHash('sha256').update(code).digest('hex');

/** @param own the folder in which the runner keeps its files */
export const seatFile = (own: string): MemoryFile<Seat> => memoryFile(join(own, 'seat.json'), Seat);
