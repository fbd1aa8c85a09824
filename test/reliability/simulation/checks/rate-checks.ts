import { longestRoundTrip } from '../world/messages.ts';
import { EPOCH } from '../world/process.ts';
import type { Book } from './book.ts';

const WINDOW_MS = 60_000;

const windowAt = (time: number): number => Math.floor((EPOCH + time) / WINDOW_MS);

/**
 * Checks that all hosts together admit no more requests of a token per minute than the limit. Applies only if they
 * share rate windows.
 */
export function checkRates({ world, admitted, violate }: Book): void {
  if (!world.settings.isShared) return;
  const counts = new Map<string, number>();
  for (const { token, beganAt } of admitted) {
    // A request is counted between its beginning and the longest round trip after it. If these two times are in
    // different windows, it is unknown which window counted the request, so it is skipped.
    if (windowAt(beganAt) !== windowAt(beganAt + longestRoundTrip(world))) continue;
    const bucket = `${windowAt(beganAt)} ${token}`;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  if (most > world.settings.perToken) violate(`rates: ${most} requests of a token were admitted in one minute`);
}
