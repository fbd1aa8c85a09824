/**
 * Loads sessions: folds their logs, and caches the states. A session is in one of three states in a process:
 *
 * - UNKNOWN: at the start, or when it was evicted, is gone from the storage, or a failover cut its log back. To FOLDING by
 *   the first request for it.
 * - FOLDING: that request folds its log; other requests wait for it and then fetch what is newer. To CACHED at the head
 *   that the storage names; back to UNKNOWN if there is no such session, or an error ends the fold.
 * - CACHED: a state that the storage confirmed. It is replaced by a newer state, of a fetch (`load`) or of an append of
 *   this process (`keep`). To UNKNOWN as above.
 *
 * Cannot happen: a state is cached that the storage did not confirm; an older state replaces a newer one of the same log; a
 * state of a log that was cut back replaces one of the log after it; `keep` caches a session that is not CACHED.
 */
import { EVENTS_PER_READ } from '../limits.ts';
import type { Head, LoggedEvent, StoredEvent } from '../log/event.ts';
import type { CacheUse } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { Storage } from '../storage/storage.ts';
import type { CacheSizes } from './cache-sizes.ts';
import { createEventCache } from './event-cache.ts';
import { loadSession } from './load-session.ts';
import type { Snapshots } from './snapshots.ts';
import { createStateCache } from './state-cache.ts';

export interface Sessions<S> {
  /** The cached state, which may be behind the log. */
  peek(sessionId: string): S | undefined;
  /** The state at the head that the storage names now, or null if there is no such session. */
  load(sessionId: string): Promise<S | null>;
  /**
   * Caches the state that an acknowledged append produced. Returns false, and caches nothing, if the cached state is not
   * the one that the append started from: the append's may be older, or lost in a failover. A session evicted meanwhile
   * is not cached again; that returns true.
   */
  keep(before: Head, state: S, appended: readonly StoredEvent[]): boolean;
  /** Stored events by number, in the order asked, as many as an answer can hold. */
  read(sessionId: string, seqs: readonly number[]): Promise<LoggedEvent[]>;
  /** The use of the caches of states and of event bodies. */
  use(): readonly CacheUse[];
}

interface SessionOptions<S> extends Pick<CacheSizes, 'stateBytes' | 'eventBytes'> {
  readonly snapshots?: Snapshots<S> | undefined;
}

export function createSessions<S extends SessionRoot>(
  storage: Storage,
  domain: Domain<S>,
  { stateBytes, eventBytes, snapshots }: SessionOptions<S>,
  observer?: SafeObserver,
): Sessions<S> {
  const states = createStateCache(domain, stateBytes, snapshots);
  const eventCache = createEventCache(storage, eventBytes, observer);
  const snapshotFrom = snapshots && Math.min(snapshots.every, EVENTS_PER_READ);
  const loading = { storage, domain, states, snapshotFrom, observer };
  const loadNow = (sessionId: string): Promise<S | null> => loadSession(loading, sessionId);

  /** The folds under way of sessions that are not cached. */
  const folding = new Map<string, Promise<S | null>>();

  /**
   * If the session is being folded, waits for that fold and then fetches newer events. Else, if it is not cached,
   * begins a fold.
   */
  async function load(sessionId: string): Promise<S | null> {
    for (let running = folding.get(sessionId); running && !states.has(sessionId); running = folding.get(sessionId))
      if ((await running) === null) return loadNow(sessionId);
    if (states.has(sessionId)) return loadNow(sessionId);
    const loaded = loadNow(sessionId).finally(() => folding.delete(sessionId));
    folding.set(sessionId, loaded);
    return loaded;
  }

  return {
    peek: (sessionId) => states.get(sessionId)?.state,
    load,
    keep(before, state, appended) {
      const { sessionId } = state;
      if (!states.has(sessionId)) return true;
      const replaced = states.advance(before, state, appended);
      for (const event of replaced ? appended : []) eventCache.keep({ sessionId, branch: replaced?.branch }, event);
      return replaced !== undefined;
    },
    read: (sessionId, seqs) => eventCache.read({ sessionId, branch: states.peek(sessionId)?.branch }, seqs),
    use: () => [states.use(), eventCache.use()],
  };
}
