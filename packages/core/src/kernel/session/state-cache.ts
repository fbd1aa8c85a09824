/**
 * Caches folded sessions that the storage has confirmed. The size is limited in bytes; the least recently used session is evicted.
 * If this process folds a session again from its first event or from a snapshot, the state gets a new branch number. States that
 * are folded from that state keep its branch number.
 */
import { LRUCache } from 'lru-cache';
import type { Head, StoredEvent } from '../log/event.ts';
import { type CacheUse, cacheUseOf } from '../observe/observer.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import { weightOf } from './fold-log.ts';
import type { SizedState, Snapshots } from './snapshots.ts';

export interface CachedState<S> extends SizedState<S> {
  /**
   * If a failover removes events from the log, later events get the same numbers. The branch number distinguishes cached events
   * that were read before the failover from events that were read after it.
   */
  readonly branch: number;
  /** Number of the last event in the newest snapshot of the session that this process has written or read. */
  readonly snapshotSeq: number;
}

export interface StateCache<S> {
  has(sessionId: string): boolean;
  /** Returns the cached state, and marks the session as used. */
  get(sessionId: string): CachedState<S> | undefined;
  peek(sessionId: string): CachedState<S> | undefined;
  /** The state before the first event, with a new branch number. It is not cached. */
  empty(sessionId: string): CachedState<S>;
  /** The state of the latest snapshot, with a new branch number. It is not cached. Undefined if there is no snapshot. */
  fromSnapshot(sessionId: string): Promise<CachedState<S> | undefined>;
  /**
   * Caches a loaded state. Does nothing if the cache already has a newer state with the same branch number, or a state with
   * a higher branch number.
   */
  remember(loaded: CachedState<S>): void;
  /**
   * Replaces the cached state by the state that an append produced, if the append started from the cached state.
   *
   * @returns the state that was replaced; undefined if no state was replaced
   */
  advance(before: Head, state: S, appended: readonly StoredEvent[]): CachedState<S> | undefined;
  /** Removes the cached state of a session, if it has the same branch number as `state`. */
  forget(state: CachedState<S>): void;
  delete(sessionId: string): void;
  use(): CacheUse;
}

/** Bytes that a state without events counts in the cache. */
const BASE_BYTES = 5_000;

export function createStateCache<S extends SessionRoot>(
  domain: LogDomain<S>,
  stateBytes: number,
  snapshots: Snapshots<S> | undefined,
): StateCache<S> {
  // A state larger than half of the cache counts as half of the cache. Otherwise the cache could refuse the state, and each call
  // for its session would fold the log again.
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
    use: () => cacheUseOf('sessions', cache),
  };
}
