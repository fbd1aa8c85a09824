/**
 * Reads the state of a session at the head that the storage names now: takes a known state and folds the events after it.
 *
 * Three states are tried in order: the cached state, the state of the snapshot, the empty state. The next one is tried if a
 * state does not exist, or if the log does not continue from it. The latter happens because a failover may remove events from
 * the end of the log at any time.
 */
import { brokenLog } from '../log/stored-event.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { LogTail, Storage } from '../storage/storage.ts';
import { continues, foldOn } from './fold-log.ts';
import type { CachedState, StateCache } from './state-cache.ts';

interface Loading<S extends SessionRoot> {
  readonly storage: Storage;
  readonly domain: Domain<S>;
  readonly states: StateCache<S>;
  /** A log is loaded from its snapshot if it has more events than this. Undefined if there are no snapshots. */
  readonly snapshotFrom: number | undefined;
  readonly observer?: SafeObserver | undefined;
}

/** A state from which folding starts, and the part of the log after it. `tail` is null if there is no such session. */
interface Start<S> {
  readonly from: CachedState<S>;
  readonly tail: LogTail | null;
  readonly isSnapshot: boolean;
}

/**
 * `head`: folded up to the head. `absent`: there is no such session. `contradicted`: the log does not continue from the state.
 */
interface Followed<S> {
  readonly reached: CachedState<S>;
  readonly end: 'head' | 'absent' | 'contradicted';
}

/**
 * Loads a session and caches its state.
 *
 * @returns null if there is no such session
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

/** Starts from a given state: a cached state, the state of a snapshot, or the empty state. */
async function startFrom<S extends SessionRoot>({ storage }: Loading<S>, from: CachedState<S>): Promise<Start<S>> {
  const { sessionId, head } = from.state;
  return { from, tail: await storage.fetch(sessionId, head.seq), isSnapshot: false };
}

/** Starts a session that is not cached: from its snapshot if its log is long, otherwise from its first event. */
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
 * Caches the state that was reached, and returns it. Never returns the cached state in its place, because this request has not
 * confirmed that one.
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
