import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { fail } from '../errors.ts';
import { RATE_WINDOW_MS } from '../limits.ts';
import type { Storage } from '../storage/storage.ts';

/** Identifies a counter. Requests with the same bucket are counted together. */
export interface Bucket {
  readonly window: 'token' | 'address' | 'redeem' | 'person';
  /** Key of the counter, in memory and in the storage. */
  readonly key: string;
}

/** Returns the bucket of a token, a client address or a person. `id` is the hash of the token, the address, or both ids. */
export const bucketOf = (window: Bucket['window'], id: string): Bucket => ({ window, key: `${window}:${id}` });

/** Counts requests in windows of one minute, which begin at full minutes. */
export interface RateWindows {
  /**
   * Adds an amount to the counter of a bucket. If the sum would exceed the limit, adds nothing and throws.
   *
   * @throws ParleyError RATE_LIMITED with `retry_after_seconds` (1 to 60)
   */
  take(bucket: Bucket, limit: number, amount: number): Promise<void> | void;
}

export interface Windows {
  /**
   * Counters of addresses, and of tokens that this installation issued. With the option `sharedLimits`, all processes
   * share these counters.
   */
  readonly counted: RateWindows;
  /**
   * Counters of forged tokens, in the memory of this process and limited in number. So a flood of forged tokens causes
   * no query, and evicts no counter from `counted`.
   */
  readonly forged: RateWindows;
}

/**
 * Maximum number of counters in memory. Beyond it, the least recently used counter is removed and begins at 0 when it is used
 * again.
 */
const MAX_BUCKETS = 200_000;
export const MAX_FORGED_BUCKETS = 20_000;

/**
 * A cache with a maximum number of entries. Uses the option `maxSize`, because with `max` the cache would allocate memory
 * for all entries when it is created.
 */
const boundedTable = <V extends number | object>(maxEntries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });

/** Counters in this process. The first request of a new window removes the counters of the earlier window. */
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
 * Milliseconds for which requests are refused without a query after their counter has reached the limit. Short, because
 * the windows follow the clock of the storage, which may differ from the clock of this process.
 */
const FULL_MS = 1_000;

/**
 * Counters in the storage, which all processes that use the storage share. After a counter has reached its limit,
 * requests are refused without a query for one second.
 */
export function createSharedWindows(storage: Storage, clock: Clock): RateWindows {
  const fullSince = boundedTable<number>(MAX_BUCKETS);
  const count = async (key: string, n: number): Promise<number> => {
    const [total] = await storage.countWindow(RATE_WINDOW_MS, [{ bucket: key, n }]);
    return total?.n ?? n;
  };
  return {
    async take({ key }, limit, amount) {
      if (isFull(clock, fullSince.get(key))) refuse(clock);
      // The storage cannot subtract from a counter. So the counter is read first, and an amount that does not fit is refused before
      // it is added.
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
