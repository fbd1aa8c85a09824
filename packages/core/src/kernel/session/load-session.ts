/**
 * Folds stored events onto a state. Before an event is folded, its text is compared with its hash, and its number and previous hash
 * with the head of the state.
 */

import { LRUCache } from 'lru-cache';
import { ParleyError } from '../errors.ts';
import { brokenLog, type Head, type LoggedEvent, readIntactEvent, type StoredEvent } from '../log/event.ts';
import { type CacheUse, cacheUseOf, heapBytes, type SafeObserver } from '../observe/observer.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import type { LogTail, Storage } from '../storage/storage.ts';
import type { SizedState, Snapshots } from './snapshots.ts';

/** Estimated bytes that an event adds to a state in addition to its text. Measured on the heap with thousands of sessions. */
const EVENT_BYTES = 300;

/** Estimated number of bytes that folded events add to a cached state. */
const weightOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { body }) => sum + heapBytes(body) + EVENT_BYTES, 0);

/**
 * Whether the fetched events follow directly after a known head. False after a failover that removed the event of that head
 * from the log.
 */
function continues(known: Head, { head, events }: LogTail): boolean {
  const first = events[0];
  if (first) return first.seq === known.seq + 1 && readIntactEvent(first).prevHash === known.hash;
  return head.seq === known.seq && head.hash === known.hash;
}

/**
 * Folds events onto a state. If there are no events, returns the given object itself.
 *
 * @throws ParleyError LOG_BROKEN at the first event that was edited or does not follow the event before it;
 * STORAGE_UNAVAILABLE if a newer release wrote an event
 */
function foldOn<S extends SessionRoot, T extends SizedState<S>>(
  domain: LogDomain<S>,
  from: T,
  events: readonly StoredEvent[],
): T {
  if (events.length === 0) return from;
  let { state } = from;
  for (const stored of events) {
    const event = readIntactEvent(stored);
    if (event.seq !== state.head.seq + 1 || event.prevHash !== state.head.hash) throw brokenLog(state.head.seq + 1);
    checkKnown(domain, event);
    state = folded(domain, state, event);
  }
  return { ...from, state, bytes: from.bytes + weightOf(events) };
}

/**
 * Folds one event. If that fails although the hashes match, throws LOG_BROKEN: the event was changed and its hash computed again.
 */
function folded<S extends SessionRoot>(domain: LogDomain<S>, state: S, event: LoggedEvent): S {
  try {
    return domain.evolve(state, event);
  } catch (error) {
    throw brokenLog(event.seq, error);
  }
}

/**
 * Throws an error for an event of an unknown kind or version. A newer release has written it, and a state without it would be
 * wrong.
 */
function checkKnown<S extends SessionRoot>({ catalog }: LogDomain<S>, { kind, v }: LoggedEvent): void {
  const known = Object.hasOwn(catalog, kind) ? catalog[kind] : undefined;
  if (known && v <= known.v) return;
  throw new ParleyError(
    'STORAGE_UNAVAILABLE',
    'A newer release of Parley has written to this session. This release cannot read it.',
    {
      retry_after_seconds: 30,
      hint: 'Send the call again after retry_after_seconds. If the answer stays the same, tell the owner: the operator must update this server.',
    },
  );
}

/*
 * Caches folded sessions that the storage has confirmed. The size is limited in bytes; the least recently used session is evicted.
 * If this process folds a session again from its first event or from a snapshot, the state gets a new branch number. States that
 * are folded from that state keep its branch number.
 */

interface CachedState<S> extends SizedState<S> {
  /**
   * If a failover removes events from the log, later events get the same numbers. The branch number distinguishes cached events
   * that were read before the failover from events that were read after it.
   */
  readonly branch: number;
  /** Number of the last event in the newest snapshot of the session that this process has written or read. */
  readonly snapshotSeq: number;
}

interface StateCache<S> {
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

/*
 * Reads the state of a session up to the present head of the log: starts from a known state and folds the events after it.
 *
 * Three start states are tried in this order: the cached state, the state of the snapshot, the empty state. The next state is tried
 * if a state does not exist, or if the log does not continue from it. The log does not continue from a state if a failover has
 * removed events that the state contains.
 */

interface Loading<S extends SessionRoot> {
  readonly storage: Storage;
  readonly domain: LogDomain<S>;
  readonly states: StateCache<S>;
  /**
   * If more than this number of events must be folded, the session is loaded from its snapshot. Undefined if the
   * storage does not support snapshots.
   */
  readonly snapshotFrom: number | undefined;
  readonly observer?: SafeObserver | undefined;
}

/** A state from which folding can start, and the events after it. `tail` is null if the session does not exist. */
interface Start<S> {
  readonly from: CachedState<S>;
  readonly tail: LogTail | null;
  readonly isSnapshot: boolean;
}

/**
 * How folding ended. `head`: all events of the log were folded. `absent`: the session does not exist. `contradicted`: the log does
 * not continue from the start state.
 */
interface Followed<S> {
  readonly reached: CachedState<S>;
  readonly end: 'head' | 'absent' | 'contradicted';
}

/**
 * Loads a session and caches its state.
 *
 * @returns null if the session does not exist
 * @throws ParleyError LOG_BROKEN if the stored log cannot be folded
 */
export async function loadSession<S extends SessionRoot>(loading: Loading<S>, sessionId: string): Promise<S | null> {
  const { states, observer } = loading;
  const known = states.get(sessionId);
  observer?.cacheRead('sessions', known !== undefined);
  if (known) {
    const followed = await follow(loading, await startFrom(loading, known));
    if (followed.end !== 'contradicted') return conclude(loading, followed, known);
    states.forget(known);
  }
  const start = await begin(loading, sessionId);
  const begun = await follow(loading, start);
  if (start.isSnapshot && begun.end !== 'absent') observer?.snapshotEnded(begun.end === 'head' ? 'used' : 'lost');
  if (begun.end !== 'contradicted') return conclude(loading, begun);
  const isEmpty = begun.reached.state.head.seq === 0;
  const anew = isEmpty ? begun : await follow(loading, await startFrom(loading, states.empty(sessionId)));
  if (anew.end === 'contradicted') throw brokenLog(anew.reached.state.head.seq + 1);
  return conclude(loading, anew);
}

/** Fetches the events after a state from which folding starts. */
async function startFrom<S extends SessionRoot>({ storage }: Loading<S>, from: CachedState<S>): Promise<Start<S>> {
  const { sessionId, head } = from.state;
  return { from, tail: await storage.fetch(sessionId, head.seq), isSnapshot: false };
}

/**
 * Chooses where the fold of a session that is not cached starts: at its snapshot if its log is long, otherwise at its first
 * event.
 */
async function begin<S extends SessionRoot>(loading: Loading<S>, sessionId: string): Promise<Start<S>> {
  const { storage, states, snapshotFrom } = loading;
  const empty = states.empty(sessionId);
  const tail = await storage.fetch(sessionId, 0, snapshotFrom);
  if (snapshotFrom === undefined || !tail?.more) return { from: empty, tail, isSnapshot: false };
  const snapshot = await states.fromSnapshot(sessionId);
  return { ...(await startFrom(loading, snapshot ?? empty)), isSnapshot: snapshot !== undefined };
}

/** Fetches and folds events until the head of the log is reached. */
async function follow<S extends SessionRoot>(
  { storage, domain }: Loading<S>,
  { from, tail: first }: Start<S>,
): Promise<Followed<S>> {
  let [reached, tail] = [from, first];
  for (;;) {
    if (tail === null) return { reached, end: 'absent' };
    if (!continues(reached.state.head, tail)) return { reached, end: 'contradicted' };
    reached = foldOn(domain, reached, tail.events);
    if (!tail.more) break;
    tail = await storage.fetch(reached.state.sessionId, reached.state.head.seq);
  }
  if (reached.state.head.hash !== tail.head.hash) throw brokenLog(reached.state.head.seq + 1);
  return { reached, end: 'head' };
}

/**
 * Caches the loaded state and returns it. If another request has cached another state meanwhile, that state is not returned,
 * because the storage has not confirmed it for this request.
 */
function conclude<S extends SessionRoot>(
  { states }: Loading<S>,
  { reached, end }: Followed<S>,
  known?: CachedState<S>,
): S | null {
  if (end === 'head' && reached !== known) states.remember(reached);
  if (end === 'head') return reached.state;
  states.delete(reached.state.sessionId);
  return null;
}
