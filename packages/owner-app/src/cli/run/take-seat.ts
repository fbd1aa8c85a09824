import type { Seat } from '../agent/seat-file.ts';
import { type RedeemRequest, redeemCode } from '../connect/redeem.ts';
import { codeHash, type Progress, type RunFiles } from './run-files.ts';

export async function takeSeat(files: RunFiles, request: RedeemRequest): Promise<Seat> {
  const { sessionId, role, token, url } = await redeemCode(request);
  const seat = { session_id: sessionId, role, url, token, code_sha256: codeHash(request.code) };
  await files.seat.write(seat);
  return seat;
}

/** Returns the stored progress if it belongs to this session and role. Otherwise stores an empty progress. */
export async function startProgress({ progress }: RunFiles, { session_id, role }: Seat): Promise<Progress> {
  const former = await progress.read();
  if (former?.session_id === session_id && former.role === role) return former;
  const started = { session_id, role, runs: 0, cost: 0, idle: 0 };
  await progress.write(started);
  return started;
}
