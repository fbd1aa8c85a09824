import { LRUCache } from 'lru-cache';
import { type CacheUse, useOf } from './cache-use.ts';
import type { LoggedEvent } from './event.ts';
import type { Watch } from './observer.ts';
import type { Storage } from './storage.ts';
import { readIntactEvent } from './stored-event.ts';

/** Which reading of a log: `branch` changes when a lost tail is noticed; without one nothing is kept. */
interface LogBranch {
  readonly sessionId: string;
  readonly branch: number | undefined;
}

/** Event bodies of this process. States keep only their numbers. */
export interface Bodies {
  /** Stored events by number, in the order asked; those that are not there are left out. */
  read(log: LogBranch, seqs: readonly number[]): Promise<LoggedEvent[]>;
  keep(log: LogBranch, event: LoggedEvent, bytes: number): void;
  use(): CacheUse;
}

/** What an event weighs beyond its text. */
const EVENT_BYTES = 200;

export function createBodies(storage: Storage, maxBytes: number, watch?: Watch): Bodies {
  const cache = new LRUCache<string, LoggedEvent>({ maxSize: maxBytes });
  const keyOf = ({ sessionId, branch }: LogBranch, seq: number): string => `${sessionId}:${branch}:${seq}`;

  const keep = (log: LogBranch, event: LoggedEvent, bytes: number): void => {
    if (log.branch !== undefined) cache.set(keyOf(log, event.seq), event, { size: bytes + EVENT_BYTES });
  };

  return {
    keep,
    use: () => useOf('events', cache),
    async read(log, seqs) {
      const found = new Map<number, LoggedEvent>();
      for (const seq of seqs) {
        const event = cache.get(keyOf(log, seq));
        watch?.cacheRead('events', event !== undefined);
        if (event) found.set(seq, event);
      }
      for (const { from, to } of rangesOf(seqs.filter((seq) => !found.has(seq)))) {
        for (const stored of await storage.events(log.sessionId, from, to)) {
          const event = readIntactEvent(stored);
          found.set(stored.seq, event);
          keep(log, event, stored.body.length);
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
