import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { fail } from '../errors.ts';
import { RATE_WINDOW_MS } from '../limits.ts';
import type { Storage } from '../storage/storage.ts';

/** Counts requests in fixed windows of a minute, aligned to the clock. */
export interface RateWindows {
  /**
   * Adds to a bucket if the whole amount fits.
   *
   * @throws ParleyError RATE_LIMITED with `retry_after_seconds` (1 to 60)
   */
  take(bucket: string, limit: number, amount: number): Promise<void> | void;
}

/** The counters of a process: those that count for every process, and those of tokens that nobody was given. */
export interface Windows {
  readonly counted: RateWindows;
  /** Local and small: a flood of forged tokens costs no look-up and pushes nobody else's bucket out. */
  readonly forged: RateWindows;
}

/** Buckets beyond this many in one minute push out the least recently used. */
const MAX_BUCKETS = 200_000;
export const MAX_FORGED_BUCKETS = 20_000;

/** Grows as it fills: with `max`, the cache would take the room of all its entries at the start. */
const boundedTable = <V extends number | object>(maxEntries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });

/** Counters of one process. Those of a window are let go of with the first request after it. */
export function createLocalWindows(clock: Clock, maxBuckets = MAX_BUCKETS): RateWindows {
  let window = windowOf(clock.now());
  let counts = boundedTable<number>(maxBuckets);
  return {
    take(bucket, limit, amount) {
      const present = windowOf(clock.now());
      if (present !== window) {
        window = present;
        counts = boundedTable(maxBuckets);
      }
      const count = (counts.get(bucket) ?? 0) + amount;
      if (count > limit) refuse(clock);
      counts.set(bucket, count);
    },
  };
}

/** How long a full bucket is answered from memory. The windows are the storage's, whose clock is not quite ours. */
const FULL_MS = 1_000;

/** Counters shared by every process on one storage; a bucket known to be full is asked for again once a second. */
export function createSharedWindows(storage: Storage, clock: Clock): RateWindows {
  const fullSince = boundedTable<number>(MAX_BUCKETS);
  const count = async (bucket: string, n: number): Promise<number> => {
    const [total] = await storage.countWindow(RATE_WINDOW_MS, [{ bucket, n }]);
    return total?.n ?? n;
  };
  return {
    async take(bucket, limit, amount) {
      if (isFull(clock, fullSince.get(bucket))) refuse(clock);
      // What is counted stays counted, so an amount that cannot fit must not be.
      if (amount > 1 && (await count(bucket, 0)) + amount > limit) refuse(clock);
      const total = await count(bucket, amount);
      if (total <= limit) return;
      if (total - amount >= limit) fullSince.set(bucket, clock.now());
      refuse(clock);
    },
  };
}

const isFull = (clock: Clock, since: number | undefined): boolean =>
  since !== undefined && clock.now() - since < FULL_MS && windowOf(since) === windowOf(clock.now());

const windowOf = (ms: number): number => Math.floor(ms / RATE_WINDOW_MS);

function refuse(clock: Clock): never {
  const left = RATE_WINDOW_MS - (clock.now() % RATE_WINDOW_MS);
  const retry_after_seconds = Math.max(1, Math.ceil(left / 1000));
  return fail('RATE_LIMITED', `The limit for this minute is reached; try again in ${retry_after_seconds} s.`, {
    retry_after_seconds,
  });
}
