import { LRUCache } from 'lru-cache';
import { EVENTS_PER_READ } from '../limits.ts';
import type { Head, LoggedEvent, StoredEvent } from '../log/event.ts';
import { type CacheUse, cacheUseOf, heapBytes, type SafeObserver } from '../observe/observer.ts';
import { CachedReply, type Call, type Reply } from '../operation/host-port.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import type { Role } from '../roles.ts';
import type { Storage } from '../storage/storage.ts';
import { createStateCache, loadSession } from './load-session.ts';
import type { Snapshots } from './snapshots.ts';
import { createEventCache } from './stored-texts.ts';

export interface CacheSizes {
  /**
   * Maximum size of the cached states of sessions. The size of a state is estimated from the bytes of its log and the
   * number of its events.
   */
  readonly stateBytes: number;
  /** Maximum size of the cached event bodies. */
  readonly eventBytes: number;
  /** Maximum size of the cached contract revisions and artifacts. */
  readonly documentBytes: number;
  /** Maximum size of the cached texts of answers. */
  readonly answerBytes: number;
}

/** The default sizes, 140 MiB in all. The process, with the embedded database, then uses less than 512 MB of memory. */
export const DEFAULT_CACHE: CacheSizes = {
  stateBytes: 80 * 1024 * 1024,
  eventBytes: 24 * 1024 * 1024,
  documentBytes: 24 * 1024 * 1024,
  answerBytes: 12 * 1024 * 1024,
};

/**
 * Divides a number of bytes among the caches in the same proportions as DEFAULT_CACHE.
 *
 * @param bytes total size of all caches
 */
export function cacheSizes(bytes: number): CacheSizes {
  const { stateBytes, eventBytes, documentBytes, answerBytes } = DEFAULT_CACHE;
  const share = bytes / (stateBytes + eventBytes + documentBytes + answerBytes);
  const of = (part: number): number => Math.floor(part * share);
  return {
    stateBytes: of(stateBytes),
    eventBytes: of(eventBytes),
    documentBytes: of(documentBytes),
    answerBytes: of(answerBytes),
  };
}

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

/*
 * Caches the JSON text of replies of operations that define a `cacheKey`, because polling agents ask for the same reply repeatedly.
 * A cached reply is valid for one state, which the hash of its last event identifies. The reply for a later state replaces it.
 */

export interface ResponseCache<S> {
  /** The cached reply for this state. Undefined if no reply is cached, or if the operation has no `cacheKey`. */
  find(call: Call<S>, state: S, query: CacheQuery): Reply | undefined;
  /**
   * The reply for this state: the one that another call has cached while this call loaded what the reply is made from, otherwise
   * the one that `make` returns, which is then cached. One state ends the polls of an agent together, so their reply is made once.
   */
  obtain(call: Call<S>, state: S, query: CacheQuery, make: () => Reply): Reply;
  use(): CacheUse;
}

interface CacheQuery {
  readonly role: Role;
  readonly timedOut: boolean;
}

interface CachedResponse {
  /** Hash of the last event in the state from which the reply was made. */
  readonly hash: string;
  readonly reply: Reply;
  readonly bytes: number;
}

/** Bytes that the cache counts for a reply in addition to its text. */
const ANSWER_BYTES = 300;

export function createResponseCache<S extends SessionRoot>(
  maxBytes: number,
  observer?: SafeObserver,
): ResponseCache<S> {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes + ANSWER_BYTES,
  });
  return {
    find(call, { head }, query) {
      const key = keyOf(call, query);
      if (key === undefined) return undefined;
      const known = cache.get(key);
      const isSame = known?.hash === head.hash;
      observer?.cacheRead('answers', isSame);
      return isSame ? known.reply : undefined;
    },
    use: () => cacheUseOf('answers', cache),
    obtain(call, { head: { hash } }, query, make) {
      const key = keyOf(call, query);
      if (key === undefined) return make();
      const known = cache.peek(key);
      if (known?.hash === hash) return known.reply;
      const reply = make();
      const { text } = reply;
      cache.set(key, { hash, reply: new CachedReply(text), bytes: heapBytes(text) });
      return reply;
    },
  };
}

/** The cache key does not contain the state, so the reply for a later state replaces the earlier reply. */
function keyOf<S>({ operation, sessionId, input }: Call<S>, { role, timedOut }: CacheQuery): string | undefined {
  const question = operation.cacheKey?.(input);
  return question === undefined ? undefined : `${sessionId} ${role} ${operation.name} ${timedOut} ${question}`;
}
