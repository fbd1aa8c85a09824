import { EVENTS_PER_READ } from '../limits.ts';
import type { Head, LoggedEvent, StoredEvent } from '../log/event.ts';
import type { CacheUse, SafeObserver } from '../observe/observer.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import type { Storage } from '../storage/storage.ts';
import type { CacheSizes } from './cache-sizes.ts';
import { loadSession } from './load-session.ts';
import type { Snapshots } from './snapshots.ts';
import { createStateCache } from './state-cache.ts';
import { createEventCache } from './stored-texts.ts';

/**
 * Loads sessions: folds their logs, and caches the states. In a process, a session is in one of three states:
 *
 * - UNKNOWN: at the start; after the session was evicted; after it was deleted from the storage; after a failover cut
 *   its log back. The first request for it moves it to FOLDING.
 * - FOLDING: that request folds the log. Other requests for the session wait for the fold, then fetch newer events.
 *   Moves to CACHED when the fold has reached the head of the log. Moves back to UNKNOWN if there is no such session,
 *   or if an error ends the fold.
 * - CACHED: the cache has a state that the storage confirmed. A newer state replaces it, from a fetch (`load`) or from
 *   an append of this process (`keep`). Moves to UNKNOWN in the cases that UNKNOWN lists.
 *
 * Cannot happen: a state is cached that the storage did not confirm; an older state replaces a newer one of the same
 * log; a state from before a failover replaces a state from after it; `keep` caches a session that is not CACHED.
 */

export interface Sessions<S> {
  /** The cached state, which may be older than the log. Undefined if the session is not cached. */
  peek(sessionId: string): S | undefined;
  /** The state at the head that the storage has now. Null if the session does not exist. */
  load(sessionId: string): Promise<S | null>;
  /**
   * Replaces the cached state by the state that an append produced. Returns false and changes nothing if the append did not start
   * from the cached state: the new state may be older, or lost in a failover. Returns true otherwise, also for a session that was
   * evicted meanwhile, which is not cached again.
   */
  keep(before: Head, state: S, appended: readonly StoredEvent[]): boolean;
  /**
   * Reads stored events by number, and returns them in the order of `seqs`. Leaves out the highest numbers if the texts
   * of all these events exceed the maximum length of an answer.
   */
  read(sessionId: string, seqs: readonly number[]): Promise<LoggedEvent[]>;
  /** Entries and bytes of the two caches, for states and for event bodies. */
  use(): readonly CacheUse[];
}

interface SessionOptions<S> extends Pick<CacheSizes, 'stateBytes' | 'eventBytes'> {
  readonly snapshots?: Snapshots<S> | undefined;
}

export function createSessions<S extends SessionRoot>(
  storage: Storage,
  domain: LogDomain<S>,
  { stateBytes, eventBytes, snapshots }: SessionOptions<S>,
  observer?: SafeObserver,
): Sessions<S> {
  const states = createStateCache(domain, stateBytes, snapshots);
  const eventCache = createEventCache(storage, eventBytes, observer);
  const snapshotFrom = snapshots && Math.min(snapshots.every, EVENTS_PER_READ);
  const loading = { storage, domain, states, snapshotFrom, observer };
  const loadNow = (sessionId: string): Promise<S | null> => loadSession(loading, sessionId);

  /** The running folds, by session id. A cached session is not in this map. */
  const folding = new Map<string, Promise<S | null>>();

  /**
   * Returns the state at the present head. If the session is being folded already, waits for that fold and then fetches
   * newer events. If the session is neither being folded nor cached, starts a fold.
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

/**
 * Returns a function that runs the tasks of one session one after another, in the order of the calls. Tasks of different sessions
 * run at the same time. If a task fails, its own call rejects, and the next task of the session runs.
 */
export function createSessionQueue(): <T>(sessionId: string, task: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return (sessionId, task) => {
    const before = tails.get(sessionId);
    const run = before ? before.then(task, task) : task();
    const leave = (): void => {
      if (tails.get(sessionId) === tail) tails.delete(sessionId);
    };
    const tail = run.then(leave, leave);
    tails.set(sessionId, tail);
    return run;
  };
}
