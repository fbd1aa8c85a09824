import { LRUCache } from 'lru-cache';
import type { Domain, Folded } from './domain.ts';
import { ParleyError } from './errors.ts';
import { type LoggedEvent, readEvent } from './event.ts';
import type { Head, News, Storage, StoredEvent } from './storage.ts';

export interface CacheSizes {
  /** Folded sessions, in bytes (estimated from the log's text). */
  readonly stateBytes: number;
  /** Event bodies, in bytes. */
  readonly eventBytes: number;
}

export const DEFAULT_CACHE: CacheSizes = { stateBytes: 256 * 1024 * 1024, eventBytes: 64 * 1024 * 1024 };

/** Folded sessions of this process. Every state in it was confirmed by the storage; a fetch says whether it still is. */
export interface Sessions<S> {
  /** The state known here, perhaps behind the log. */
  peek(sessionId: string): S | undefined;
  /** The state at the head that the storage names now, or null when there is no such session. */
  load(sessionId: string): Promise<S | null>;
  /** Takes over the state after an append that was acknowledged. */
  keep(state: S, appended: readonly LoggedEvent[], bytes: number): void;
  forget(sessionId: string): void;
  /** Stored events by number, in the order asked. */
  read(sessionId: string, seqs: readonly number[]): Promise<LoggedEvent[]>;
}

interface Entry<S> {
  readonly state: S;
  readonly bytes: number;
  /** Tells bodies read before a lost tail from those after. */
  readonly branch: number;
}

/** What an empty state weighs. */
const BASE_BYTES = 4_000;

export function createSessions<S extends Folded>(storage: Storage, domain: Domain<S>, sizes: CacheSizes): Sessions<S> {
  const states = new LRUCache<string, Entry<S>>({ maxSize: sizes.stateBytes, sizeCalculation: ({ bytes }) => bytes });
  const bodies = new LRUCache<string, LoggedEvent>({ maxSize: sizes.eventBytes });
  let branches = 0;

  const newer = (entry: Entry<S>): Entry<S> => {
    const known = states.peek(entry.state.sessionId);
    if (known && known.branch === entry.branch && known.state.head.seq >= entry.state.head.seq) return known;
    states.set(entry.state.sessionId, entry);
    return entry;
  };

  const begin = (sessionId: string): Entry<S> => {
    branches += 1;
    return { state: domain.empty(sessionId), bytes: BASE_BYTES, branch: branches };
  };

  async function load(sessionId: string): Promise<S | null> {
    let entry = states.get(sessionId) ?? begin(sessionId);
    for (;;) {
      const news = await storage.fetch(sessionId, entry.state.head.seq);
      if (news === null) {
        states.delete(sessionId);
        return null;
      }
      if (!continues(entry.state.head, news)) {
        if (states.peek(sessionId)?.branch === entry.branch) states.delete(sessionId);
        entry = begin(sessionId);
        continue;
      }
      entry = absorb(domain, entry, news.events);
      if (!news.more) return newer(entry).state;
    }
  }

  const bodyKey = (sessionId: string, seq: number): string =>
    `${sessionId}:${states.peek(sessionId)?.branch ?? 0}:${seq}`;

  const remember = (sessionId: string, event: LoggedEvent, bytes: number): void => {
    bodies.set(bodyKey(sessionId, event.seq), event, { size: bytes + 200 });
  };

  async function readRange(sessionId: string, from: number, to: number): Promise<void> {
    for (const stored of await storage.events(sessionId, from, to))
      remember(sessionId, readEvent(stored), stored.body.length);
  }

  return {
    peek: (sessionId) => states.get(sessionId)?.state,
    load,
    keep(state, appended, bytes) {
      const known = states.peek(state.sessionId) ?? begin(state.sessionId);
      newer({ state, bytes: known.bytes + bytes, branch: known.branch });
      for (const event of appended) remember(state.sessionId, event, bytes);
    },
    forget: (sessionId) => void states.delete(sessionId),
    async read(sessionId, seqs) {
      const found = new Map<number, LoggedEvent>();
      for (const range of rangesOf(seqs.filter((seq) => !bodies.has(bodyKey(sessionId, seq))))) {
        await readRange(sessionId, range.from, range.to);
      }
      for (const seq of seqs) {
        const event = bodies.get(bodyKey(sessionId, seq));
        if (event) found.set(seq, event);
      }
      const missing = seqs.filter((seq) => !found.has(seq));
      for (const stored of await readEach(storage, sessionId, missing)) found.set(stored.seq, readEvent(stored));
      return seqs.flatMap((seq) => found.get(seq) ?? []);
    },
  };
}

/** Bodies larger than the cache never stay in it; they are read for this answer alone. */
async function readEach(storage: Storage, sessionId: string, seqs: readonly number[]): Promise<StoredEvent[]> {
  const pages = await Promise.all(seqs.map((seq) => storage.events(sessionId, seq, seq)));
  return pages.flat();
}

/** Whether what was fetched follows what is known: a lost tail after a failover does not. */
function continues(known: Head, { head, events }: News): boolean {
  const first = events[0];
  if (first) return first.seq === known.seq + 1 && readEvent(first).prevHash === known.hash;
  return head.seq === known.seq && head.hash === known.hash;
}

function absorb<S extends Folded>(domain: Domain<S>, entry: Entry<S>, events: readonly StoredEvent[]): Entry<S> {
  let { state, bytes } = entry;
  for (const stored of events) {
    const event = readEvent(stored);
    checkFollows(state.head, event);
    checkKnown(domain, event);
    state = domain.evolve(state, event);
    bytes += stored.body.length;
  }
  return { state, bytes, branch: entry.branch };
}

function checkFollows(head: Head, { seq, prevHash }: LoggedEvent): void {
  if (seq !== head.seq + 1 || prevHash !== head.hash) throw new Error(`The log is broken at event ${seq}.`);
}

/** A newer release wrote this log: refusing to fold beats skipping what is not understood. */
function checkKnown<S extends Folded>({ catalog }: Domain<S>, { kind, v }: LoggedEvent): void {
  const known = Object.hasOwn(catalog, kind) ? catalog[kind] : undefined;
  if (known && v <= known.v) return;
  throw new ParleyError('STORAGE_UNAVAILABLE', 'This session was written by a newer release.', {
    retry_after_seconds: 30,
  });
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
