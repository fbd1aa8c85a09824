/**
 * Reads stored events by number and caches their texts. States contain only the numbers of events. Parsed events are not
 * cached, because they can take twenty times the memory of their texts.
 */
import { LRUCache } from 'lru-cache';
import { EVENTS_PER_READ, MAX_ANSWER_BYTES } from '../limits.ts';
import type { StoredEvent } from '../log/event.ts';
import { type LoggedEvent, readEvent } from '../log/event.ts';
import { readIntactEvent } from '../log/stored-event.ts';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * A log as this process has read it. `branch` changes if a failover removed events from the end of the log. If it is undefined,
 * nothing is cached.
 */
interface LogBranch {
  readonly sessionId: string;
  readonly branch: number | undefined;
}

export interface EventCache {
  /**
   * Stored events by number, in the order asked. Reads the lowest numbers first, and stops after the event with which the texts
   * reach the size of the longest answer. Numbers without an event are left out.
   *
   * @throws ParleyError LOG_BROKEN for an event whose text does not match its hash
   */
  read(log: LogBranch, seqs: readonly number[]): Promise<LoggedEvent[]>;
  /** Caches an event that was appended. */
  keep(log: LogBranch, stored: StoredEvent): void;
  use(): CacheUse;
}

/** Bytes that the cache counts for an event in addition to its text. */
const EVENT_BYTES = 200;

export function createEventCache(storage: Storage, maxBytes: number, observer?: SafeObserver): EventCache {
  const cache = new LRUCache<string, StoredEvent>({ maxSize: maxBytes });
  const keyOf = ({ sessionId, branch }: LogBranch, seq: number): string => `${sessionId}:${branch}:${seq}`;

  const keep = (log: LogBranch, stored: StoredEvent): void => {
    const size = heapBytes(stored.body) + EVENT_BYTES;
    if (log.branch !== undefined) cache.set(keyOf(log, stored.seq), stored, { size });
  };

  return {
    keep,
    use: () => useOf('events', cache),
    async read(log, seqs) {
      const fetched = new Map<number, Found>();
      const events = new Map<number, LoggedEvent>();
      const ascending = seqs.toSorted((one, other) => one - other);
      let left = MAX_ANSWER_BYTES;
      for (const [index, seq] of ascending.entries()) {
        if (left <= 0) break;
        const cached = cache.get(keyOf(log, seq));
        observer?.cacheRead('events', cached !== undefined);
        if (!cached && !fetched.has(seq)) {
          for (const stored of await storage.events(log.sessionId, seq, endOfRange(ascending, index), left)) {
            fetched.set(stored.seq, { event: readIntactEvent(stored), stored });
            keep(log, stored);
          }
        }
        const found: Found | undefined = cached ? { event: readEvent(cached), stored: cached } : fetched.get(seq);
        if (!found) continue;
        events.set(seq, found.event);
        left -= Buffer.byteLength(found.stored.body);
      }
      return seqs.flatMap((seq) => events.get(seq) ?? []);
    },
  };
}

interface Found {
  readonly event: LoggedEvent;
  readonly stored: StoredEvent;
}

/**
 * The last event number that one statement reads if it begins at `seqs[index]`. The statement covers the next number asked
 * for if that is at most 8 higher, so it may read events that were not asked for. It reads about 500 events at most.
 */
function endOfRange(seqs: readonly number[], index: number): number {
  const from = seqs[index] ?? 0;
  let to = from;
  for (const seq of seqs.slice(index + 1)) {
    if (seq - to > 8 || seq - from >= EVENTS_PER_READ) break;
    to = seq;
  }
  return to;
}
