import { type RedeemRequest, redeemCode } from '../connect/redeem.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { MemoryFile } from './memory-file.ts';
import { codeHash, type Seat } from './seat-file.ts';

/**
 * Redeems an invitation code, and stores the token in the file of the folder in which the agent works. A code works once, so the file
 * is made first.
 */
export async function takeSeat(file: MemoryFile<Seat>, request: RedeemRequest): Promise<Seat> {
  const place = await file.reserve().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(
      EXIT.REFUSED,
      `The token cannot be stored in ${file.path} (${reason}). The invitation code was not used.`,
    );
  });
  const { sessionId, role, token, url } = await redeemCode(request).catch(async (error: unknown) => {
    await place.giveUp();
    throw error;
  });
  const seat = { session_id: sessionId, role, url, token, code_sha256: codeHash(request.code) };
  await place.write(seat);
  return seat;
}
