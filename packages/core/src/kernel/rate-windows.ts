import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import { fail } from './errors.ts';
import { RATE_WINDOW_MS } from './limits.ts';
import type { Storage } from './storage.ts';

/** Counts requests in fixed windows of a minute, aligned to the clock. */
export interface RateWindows {
  /**
   * Adds to a bucket if the whole amount fits.
   *
   * @throws ParleyError RATE_LIMITED with `retry_after_seconds` (1 to 60)
   */
  take(bucket: string, limit: number, amount: number): Promise<void> | void;
}

/** Buckets beyond this many in one minute push out the least recently used. */
const MAX_BUCKETS = 200_000;

interface Bucket {
  readonly window: number;
  count: number;
}

/** Counters of one process. */
export function createLocalWindows(clock: Clock): RateWindows {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
  return {
    take(bucket, limit, amount) {
      const window = windowAt(clock);
      const known = buckets.get(bucket);
      const current = known?.window === window ? known : { window, count: 0 };
      if (current.count + amount > limit) refuse(clock);
      current.count += amount;
      buckets.set(bucket, current);
    },
  };
}

/** Counters shared by every process on one storage; a bucket known to be full is answered from memory. */
export function createSharedWindows(storage: Storage, clock: Clock): RateWindows {
  const fullIn = new LRUCache<string, number>({ max: MAX_BUCKETS });
  return {
    async take(bucket, limit, amount) {
      const window = windowAt(clock);
      if (fullIn.get(bucket) === window) refuse(clock);
      const [total] = await storage.countWindow(RATE_WINDOW_MS, [{ bucket, n: amount }]);
      if (!total || total.n <= limit) return;
      if (total.n - amount >= limit) fullIn.set(bucket, window);
      refuse(clock);
    },
  };
}

const windowAt = (clock: Clock): number => Math.floor(clock.now() / RATE_WINDOW_MS);

function refuse(clock: Clock): never {
  const left = RATE_WINDOW_MS - (clock.now() % RATE_WINDOW_MS);
  const retry_after_seconds = Math.max(1, Math.ceil(left / 1000));
  return fail('RATE_LIMITED', `The limit for this minute is reached; try again in ${retry_after_seconds} s.`, {
    retry_after_seconds,
  });
}
