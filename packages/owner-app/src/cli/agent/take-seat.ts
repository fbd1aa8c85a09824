import { type RedeemRequest, redeemCode } from '../connect/redeem.ts';
import type { MemoryFile } from './memory-file.ts';
import { codeHash, type Seat } from './seat-file.ts';

/** Redeems an invitation code, and stores the token in the file of the folder in which the agent works. */
export async function takeSeat(file: MemoryFile<Seat>, request: RedeemRequest): Promise<Seat> {
  const { sessionId, role, token, url } = await redeemCode(request);
  const seat = { session_id: sessionId, role, url, token, code_sha256: codeHash(request.code) };
  await file.write(seat);
  return seat;
}
