import { longestRoundTrip } from '../world/messages.ts';
import { EPOCH } from '../world/process.ts';
import type { Book } from './book.ts';

const WINDOW_MS = 60_000;

const windowAt = (time: number): number => Math.floor((EPOCH + time) / WINDOW_MS);

/** With shared windows, all hosts together admit at most the limit of requests per token and minute. */
export function checkRates({ world, admitted, violate }: Book): void {
  if (!world.settings.isShared) return;
  const counts = new Map<string, number>();
  for (const { token, beganAt } of admitted) {
    // Skips a request near the edge of a window: it was counted at an unknown moment between these two times.
    if (windowAt(beganAt) !== windowAt(beganAt + longestRoundTrip(world))) continue;
    const bucket = `${windowAt(beganAt)} ${token}`;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  if (most > world.settings.perToken) violate(`rates: ${most} requests of a token were admitted in one minute`);
}
