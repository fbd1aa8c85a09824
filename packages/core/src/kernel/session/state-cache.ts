/**
 * Caches folded sessions, bounded by bytes; the least recently used is evicted. Each state was confirmed by the storage.
 * The events of one log, as this process read them, are a branch: a new branch begins whenever a session is folded anew.
 */
import { LRUCache } from 'lru-cache';
import type { Head, StoredEvent } from '../log/event.ts';
import { type CacheUse, useOf } from '../observe/cache-use.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import { weightOf } from './fold-log.ts';
import type { SizedState, Snapshots } from './snapshots.ts';

export interface CachedState<S> extends SizedState<S> {
  /** Number that distinguishes event bodies read before a failover cut the log back from those read after it. */
  readonly branch: number;
  /** The head of the latest snapshot that this process made or read. */
  readonly snapshotSeq: number;
}

export interface StateCache<S> {
  has(sessionId: string): boolean;
  /** Returns the cached state, and marks the session as used. */
  get(sessionId: string): CachedState<S> | undefined;
  peek(sessionId: string): CachedState<S> | undefined;
  /** The state before the first event, on a new branch; not cached. */
  empty(sessionId: string): CachedState<S>;
  /** The state of the latest snapshot, on a new branch; not cached. Undefined without a snapshot. */
  fromSnapshot(sessionId: string): Promise<CachedState<S> | undefined>;
  /** Caches a state that was loaded, unless a newer state of its branch, or a later branch, is cached. */
  remember(loaded: CachedState<S>): void;
  /**
   * Replaces the cached state by the state that an append produced, if the append started from the cached state.
   *
   * @returns the replaced state; undefined if the append did not start from it
   */
  advance(before: Head, state: S, appended: readonly StoredEvent[]): CachedState<S> | undefined;
  /** Removes a state, unless another branch took its place. */
  forget(state: CachedState<S>): void;
  delete(sessionId: string): void;
  use(): CacheUse;
}

/** Bytes of a state without events. */
const BASE_BYTES = 4_000;

export function createStateCache<S extends SessionRoot>(
  domain: Domain<S>,
  stateBytes: number,
  snapshots: Snapshots<S> | undefined,
): StateCache<S> {
  // A state larger than the cache counts as half of the cache. If it were not cached, each call for its session would
  // fold the log anew.
  const cache = new LRUCache<string, CachedState<S>>({
    maxSize: stateBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, Math.min(bytes, Math.floor(stateBytes / 2))),
  });
  let branches = 0;

  const onNewBranch = ({ state, bytes }: SizedState<S>): CachedState<S> => {
    branches += 1;
    return { state, bytes, branch: branches, snapshotSeq: state.head.seq };
  };

  /** Schedules a snapshot if the session has grown enough since the last one. */
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
