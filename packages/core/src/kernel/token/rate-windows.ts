import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { fail } from '../errors.ts';
import { RATE_WINDOW_MS } from '../limits.ts';
import type { Storage } from '../storage/storage.ts';

/** Identifies whose requests are counted together. */
export interface Bucket {
  readonly window: 'token' | 'address' | 'redeem';
  /** Key of the counter, in memory and in the storage. */
  readonly key: string;
}

/** @param id the hash of a token, or an address */
export const bucketOf = (window: Bucket['window'], id: string): Bucket => ({ window, key: `${window}:${id}` });

/** Counts requests in fixed windows of a minute, aligned to the clock. */
export interface RateWindows {
  /**
   * Adds to a bucket if the whole amount fits.
   *
   * @throws ParleyError RATE_LIMITED with `retry_after_seconds` (1 to 60)
   */
  take(bucket: Bucket, limit: number, amount: number): Promise<void> | void;
}

/** The two sets of counters that a process uses. */
export interface Windows {
  /**
   * Counters of addresses and of tokens that this installation issued; with `sharedLimits` all processes count
   * together.
   */
  readonly counted: RateWindows;
  /**
   * Counters of forged tokens. Local and small, so a flood of forged tokens costs no look-up and evicts no bucket of
   * `counted`.
   */
  readonly forged: RateWindows;
}

/** Bound on the memory of the counters. Beyond it the least recently used bucket is evicted, and counts from 0 again. */
const MAX_BUCKETS = 200_000;
export const MAX_FORGED_BUCKETS = 20_000;

/** A cache that grows as it fills: with the option `max` it would allocate the room of all entries at the start. */
const boundedTable = <V extends number | object>(maxEntries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });

/** Counters of one process. The counters of a window are dropped by the first request of a later window. */
export function createLocalWindows(clock: Clock, maxBuckets = MAX_BUCKETS): RateWindows {
  let window = windowOf(clock.now());
  let counts = boundedTable<number>(maxBuckets);
  return {
    take({ key }, limit, amount) {
      const present = windowOf(clock.now());
      if (present !== window) {
        window = present;
        counts = boundedTable(maxBuckets);
      }
      const count = (counts.get(key) ?? 0) + amount;
      if (count > limit) refuse(clock);
      counts.set(key, count);
    },
  };
}

/**
 * How long a full bucket is refused without asking the storage, in milliseconds. Short, because windows are aligned to the
 * clock of the storage, which may differ from the clock of this process.
 */
const FULL_MS = 1_000;

/** Counters in the storage, shared by its processes. A bucket known to be full asks the storage once a second. */
export function createSharedWindows(storage: Storage, clock: Clock): RateWindows {
  const fullSince = boundedTable<number>(MAX_BUCKETS);
  const count = async (key: string, n: number): Promise<number> => {
    const [total] = await storage.countWindow(RATE_WINDOW_MS, [{ bucket: key, n }]);
    return total?.n ?? n;
  };
  return {
    async take({ key }, limit, amount) {
      if (isFull(clock, fullSince.get(key))) refuse(clock);
      // The storage cannot take a count back, so an amount that does not fit is refused before it is counted.
      if (amount > 1 && (await count(key, 0)) + amount > limit) refuse(clock);
      const total = await count(key, amount);
      if (total <= limit) return;
      if (total - amount >= limit) fullSince.set(key, clock.now());
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
