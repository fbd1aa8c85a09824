/**
 * Reads the state of a session up to the present head of the log: starts from a known state and folds the events after it.
 *
 * Three start states are tried in this order: the cached state, the state of the snapshot, the empty state. The next state is tried
 * if a state does not exist, or if the log does not continue from it. The log does not continue from a state if a failover has
 * removed events that the state contains.
 */
import { brokenLog } from '../log/event.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import type { LogTail, Storage } from '../storage/storage.ts';
import { continues, foldOn } from './fold-log.ts';
import type { CachedState, StateCache } from './state-cache.ts';

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
