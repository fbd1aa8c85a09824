/**
 * Caches folded sessions. The size is limited in bytes; the least recently used session is evicted. Every cached state was
 * confirmed by the storage. Each time a session is folded anew, a new branch begins. A branch is a number for the events of one
 * log as this process has read them.
 */
import { LRUCache } from 'lru-cache';
import type { Head, StoredEvent } from '../log/event.ts';
import { type CacheUse, useOf } from '../observe/cache-use.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import { weightOf } from './fold-log.ts';
import type { SizedState, Snapshots } from './snapshots.ts';

export interface CachedState<S> extends SizedState<S> {
  /**
   * Number of the log as this process has read it. Distinguishes event bodies read before a failover cut the log back from
   * those read after it.
   */
  readonly branch: number;
  /** Number of the last event in the latest snapshot that this process has made or read. */
  readonly snapshotSeq: number;
}

export interface StateCache<S> {
  has(sessionId: string): boolean;
  /** Returns the cached state, and marks the session as used. */
  get(sessionId: string): CachedState<S> | undefined;
  peek(sessionId: string): CachedState<S> | undefined;
  /** The state before the first event, with a new branch number. Does not cache it. */
  empty(sessionId: string): CachedState<S>;
  /** The state of the latest snapshot, with a new branch number. Does not cache it. Undefined without a snapshot. */
  fromSnapshot(sessionId: string): Promise<CachedState<S> | undefined>;
  /** Caches a state that was loaded, unless a newer state of its branch or a state of a later branch is cached already. */
  remember(loaded: CachedState<S>): void;
  /**
   * Replaces the cached state by the state that an append produced, if the append started from the cached state.
   *
   * @returns the replaced state; undefined if the append did not start from it
   */
  advance(before: Head, state: S, appended: readonly StoredEvent[]): CachedState<S> | undefined;
  /** Removes a state from the cache, unless a state of another branch has replaced it. */
  forget(state: CachedState<S>): void;
  delete(sessionId: string): void;
  use(): CacheUse;
}

/** Bytes that the cache counts for a state without events. */
const BASE_BYTES = 4_000;

export function createStateCache<S extends SessionRoot>(
  domain: Domain<S>,
  stateBytes: number,
  snapshots: Snapshots<S> | undefined,
): StateCache<S> {
  // A state larger than half of the cache is counted as half of the cache. If it were not cached, each call for its session
  // would fold the log anew.
  const cache = new LRUCache<string, CachedState<S>>({
    maxSize: stateBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, Math.min(bytes, Math.floor(stateBytes / 2))),
  });
  let branches = 0;

  const onNewBranch = ({ state, bytes }: SizedState<S>): CachedState<S> => {
    branches += 1;
    return { state, bytes, branch: branches, snapshotSeq: state.head.seq };
  };

  /** Schedules a snapshot of a state if the session has enough new events since its last snapshot. */
  const withSnapshot = (cached: CachedState<S>): CachedState<S> => {
    const { seq } = cached.state.head;
    if (!snapshots || seq - cached.snapshotSeq < snapshots.every) return cached;
    snapshots.schedule(cached);
    return { ...cached, snapshotSeq: seq };
  };

  const set = (cached: CachedState<S>): void => void cache.set(cached.state.sessionId, withSnapshot(cached));

  return {
    has: (sessionId) => cache.has(sessionId),
    get: (sessionId) => cache.get(sessionId),
    peek: (sessionId) => cache.peek(sessionId),
    empty: (sessionId) => onNewBranch({ state: domain.empty(sessionId), bytes: BASE_BYTES }),
    async fromSnapshot(sessionId) {
      const found = await snapshots?.load(sessionId);
      return found ? onNewBranch(found) : undefined;
    },
    remember(loaded) {
      const known = cache.peek(loaded.state.sessionId);
      if (known?.branch === loaded.branch && known.state.head.seq >= loaded.state.head.seq) return;
      if (!known || known.branch <= loaded.branch) set(loaded);
    },
    advance(before, state, appended) {
      const known = cache.peek(state.sessionId);
      if (known?.state.head.hash !== before.hash) return undefined;
      set({ ...known, state, bytes: known.bytes + weightOf(appended) });
      return known;
    },
    forget({ state: { sessionId }, branch }) {
      if (cache.peek(sessionId)?.branch === branch) cache.delete(sessionId);
    },
    delete: (sessionId) => void cache.delete(sessionId),
    use: () => useOf('sessions', cache),
  };
}
