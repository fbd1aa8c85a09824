import { LRUCache } from 'lru-cache';
import { ParleyError } from '../errors.ts';
import { EVENTS_PER_READ } from '../limits.ts';
import type { Head, LoggedEvent, StoredEvent } from '../log/event.ts';
import { brokenLog, readIntactEvent } from '../log/stored-event.ts';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { LogTail, Storage } from '../storage/storage.ts';
import type { CacheSizes } from './cache-sizes.ts';
import { createEventCache } from './event-cache.ts';
import type { SizedState, Snapshots } from './snapshots.ts';

/** Folded sessions of this process. Every state in it was confirmed by the storage; a fetch says whether it still is. */
export interface Sessions<S> {
  /** The state known here, perhaps behind the log. */
  peek(sessionId: string): S | undefined;
  /** The state at the head that the storage names now, or null when there is no such session. */
  load(sessionId: string): Promise<S | null>;
  /**
   * Caches the state that an acknowledged append produced. Returns false, and caches nothing, if the cached state is not
   * the one that the append started from: it may be older, or lost in a failover. A session evicted meanwhile is not
   * cached again.
   */
  keep(before: Head, state: S, appended: readonly StoredEvent[]): boolean;
  /** Stored events by number, in the order asked, as many as an answer can hold. */
  read(sessionId: string, seqs: readonly number[]): Promise<LoggedEvent[]>;
  /** What is kept: the states, and the bodies of events. */
  use(): readonly CacheUse[];
}

interface Entry<S> extends SizedState<S> {
  /** Tells bodies read before a lost tail from those after. */
  readonly branch: number;
  /** Up to where this process knows of a snapshot. */
  readonly snapshotSeq: number;
}

interface SessionOptions<S> extends Pick<CacheSizes, 'stateBytes' | 'eventBytes'> {
  readonly snapshots?: Snapshots<S> | undefined;
}

/** What an empty state weighs. */
const BASE_BYTES = 4_000;
/** What an event leaves in a state beyond its text, by the heap of thousands of sessions. */
const EVENT_BYTES = 300;

const weightOf = (appended: readonly StoredEvent[]): number =>
  appended.reduce((sum, { body }) => sum + heapBytes(body) + EVENT_BYTES, 0);

interface States<S> {
  readonly cache: LRUCache<string, Entry<S>>;
  begin(sessionId: string): Entry<S>;
  /** Begins where the newest snapshot was made. Null where there is none. */
  beginLater(sessionId: string): Promise<Entry<S> | null>;
  set(entry: Entry<S>): void;
  /** Keeps what was loaded, unless something newer became known meanwhile. */
  remember(entry: Entry<S>): void;
}

function createStates<S extends SessionRoot>(
  domain: Domain<S>,
  { stateBytes, snapshots }: Omit<SessionOptions<S>, 'eventBytes'>,
): States<S> {
  // A state that weighs more than the whole cache is kept too: else every call for its session would fold it anew.
  const cache = new LRUCache<string, Entry<S>>({
    maxSize: stateBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, Math.min(bytes, Math.floor(stateBytes / 2))),
  });
  let branches = 0;

  const beginWith = (sized: SizedState<S>): Entry<S> => {
    branches += 1;
    return { ...sized, branch: branches, snapshotSeq: sized.state.head.seq };
  };

  /** Has another snapshot made of a session that grew. */
  const withSnapshot = (entry: Entry<S>): Entry<S> => {
    const { seq } = entry.state.head;
    if (!snapshots || seq - entry.snapshotSeq < snapshots.every) return entry;
    snapshots.schedule(entry);
    return { ...entry, snapshotSeq: seq };
  };

  const set = (entry: Entry<S>): void => void cache.set(entry.state.sessionId, withSnapshot(entry));

  return {
    cache,
    set,
    begin: (sessionId) => beginWith({ state: domain.empty(sessionId), bytes: BASE_BYTES }),
    async beginLater(sessionId) {
      const found = await snapshots?.load(sessionId);
      return found ? beginWith(found) : null;
    },
    remember(entry) {
      const known = cache.peek(entry.state.sessionId);
      if (known?.branch === entry.branch && known.state.head.seq >= entry.state.head.seq) return;
      if (!known || known.branch <= entry.branch) set(entry);
    },
  };
}

export function createSessions<S extends SessionRoot>(
  storage: Storage,
  domain: Domain<S>,
  options: SessionOptions<S>,
  observer?: SafeObserver,
): Sessions<S> {
  const { cache, begin, beginLater, set, remember } = createStates(domain, options);
  const eventCache = createEventCache(storage, options.eventBytes, observer);
  /** A longer log may have a snapshot. */
  const snapshotFrom = options.snapshots && Math.min(options.snapshots.every, EVENTS_PER_READ);

  /** Sessions that are not in the cache and are being folded. */
  const folding = new Map<string, Promise<S | null>>();

  /** Requests for a session that is not in the cache wait for the first of them to fold it, then ask for news. */
  async function load(sessionId: string): Promise<S | null> {
    for (let running = folding.get(sessionId); running && !cache.has(sessionId); running = folding.get(sessionId))
      if ((await running) === null) return loadNow(sessionId);
    if (cache.has(sessionId)) return loadNow(sessionId);
    const loaded = loadNow(sessionId).finally(() => folding.delete(sessionId));
    folding.set(sessionId, loaded);
    return loaded;
  }

  async function loadNow(sessionId: string): Promise<S | null> {
    const known = cache.get(sessionId);
    observer?.cacheRead('sessions', known !== undefined);
    let entry = known ?? begin(sessionId);
    let snapshot: Entry<S> | null | undefined;
    for (let restarts = 0; ; ) {
      const skipIfMoreThan = entry.state.head.seq === 0 && snapshot === undefined ? snapshotFrom : undefined;
      const tail = await storage.fetch(sessionId, entry.state.head.seq, skipIfMoreThan);
      if (tail === null) {
        cache.delete(sessionId);
        return null;
      }
      if (skipIfMoreThan !== undefined && tail.more) {
        snapshot = await beginLater(sessionId);
        entry = snapshot ?? entry;
        continue;
      }
      if (!continues(entry.state.head, tail)) {
        if (cache.peek(sessionId)?.branch === entry.branch) cache.delete(sessionId);
        if (entry === snapshot) observer?.snapshotEnded('lost');
        else restarts += 1;
        if (restarts > 1 || entry.state.head.seq === 0) throw brokenLog(entry.state.head.seq + 1);
        entry = begin(sessionId);
        continue;
      }
      if (entry === snapshot) observer?.snapshotEnded('used');
      if (entry === known && tail.events.length === 0) return entry.state;
      entry = absorb(domain, entry, tail.events);
      if (tail.more) continue;
      if (entry.state.head.hash !== tail.head.hash) throw brokenLog(entry.state.head.seq + 1);
      remember(entry);
      return entry.state; // What else is known meanwhile was not confirmed for this request.
    }
  }

  return {
    peek: (sessionId) => cache.get(sessionId)?.state,
    load,
    keep(before, state, appended) {
      const known = cache.peek(state.sessionId);
      if (!known) return true; // It gave way meanwhile, and what it weighs with it.
      if (known.state.head.hash !== before.hash) return false;
      set({ ...known, state, bytes: known.bytes + weightOf(appended) });
      for (const event of appended) eventCache.keep({ sessionId: state.sessionId, branch: known.branch }, event);
      return true;
    },
    read: (sessionId, seqs) => eventCache.read({ sessionId, branch: cache.peek(sessionId)?.branch }, seqs),
    use: () => [useOf('sessions', cache), eventCache.use()],
  };
}

/** Whether what was fetched follows what is known: a lost tail after a failover does not. */
function continues(known: Head, { head, events }: LogTail): boolean {
  const first = events[0];
  if (first) return first.seq === known.seq + 1 && readIntactEvent(first).prevHash === known.hash;
  return head.seq === known.seq && head.hash === known.hash;
}

function absorb<S extends SessionRoot>(domain: Domain<S>, entry: Entry<S>, events: readonly StoredEvent[]): Entry<S> {
  let { state, bytes } = entry;
  for (const stored of events) {
    const event = readIntactEvent(stored);
    if (event.seq !== state.head.seq + 1 || event.prevHash !== state.head.hash) throw brokenLog(state.head.seq + 1);
    checkKnown(domain, event);
    state = folded(domain, state, event);
    bytes += heapBytes(stored.body) + EVENT_BYTES;
  }
  return { ...entry, state, bytes };
}

/** An edited event whose hashes were computed anew may hold anything: a fold that fails means a broken log. */
function folded<S extends SessionRoot>(domain: Domain<S>, state: S, event: LoggedEvent): S {
  try {
    return domain.evolve(state, event);
  } catch (error) {
    throw brokenLog(event.seq, error);
  }
}

/** A newer release wrote this log: refusing to fold beats skipping what is not understood. */
function checkKnown<S extends SessionRoot>({ catalog }: Domain<S>, { kind, v }: LoggedEvent): void {
  const known = Object.hasOwn(catalog, kind) ? catalog[kind] : undefined;
  if (known && v <= known.v) return;
  throw new ParleyError('STORAGE_UNAVAILABLE', 'This session was written by a newer release.', {
    retry_after_seconds: 30,
  });
}
