import { LRUCache } from 'lru-cache';
import type { StoredEvent } from '../log/event.ts';
import { type LoggedEvent, readEvent } from '../log/event.ts';
import { readIntactEvent } from '../log/stored-event.ts';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { Watch } from '../observe/observer.ts';
import type { Storage } from '../storage/storage.ts';

/** Which reading of a log: `branch` changes when a lost tail is noticed; without one nothing is kept. */
interface LogBranch {
  readonly sessionId: string;
  readonly branch: number | undefined;
}

/**
 * Event bodies of this process, as texts: a parsed one can take twenty times the memory of its text. States keep only
 * their numbers.
 */
export interface Bodies {
  /** Stored events by number, in the order asked; those that are not there are left out. */
  read(log: LogBranch, seqs: readonly number[]): Promise<LoggedEvent[]>;
  keep(log: LogBranch, stored: StoredEvent): void;
  use(): CacheUse;
}

/** What an event weighs beyond its text. */
const EVENT_BYTES = 200;

export function createBodies(storage: Storage, maxBytes: number, watch?: Watch): Bodies {
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
      const found = new Map<number, LoggedEvent>();
      for (const seq of seqs) {
        const stored = cache.get(keyOf(log, seq));
        watch?.cacheRead('events', stored !== undefined);
        if (stored) found.set(seq, readEvent(stored));
      }
      for (const { from, to } of rangesOf(seqs.filter((seq) => !found.has(seq)))) {
        for (const stored of await storage.events(log.sessionId, from, to)) {
          found.set(stored.seq, readIntactEvent(stored));
          keep(log, stored);
        }
      }
      return seqs.flatMap((seq) => found.get(seq) ?? []);
    },
  };
}

interface Range {
  readonly from: number;
  to: number;
}

/** Neighbouring numbers become one read of at most 500 events; gaps of a few are read along. */
function rangesOf(seqs: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && seq - last.to <= 8 && seq - last.from < 500) last.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  return ranges;
}
