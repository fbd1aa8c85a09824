import type { Clock } from '../clock.ts';
import { createBudget } from '../event-loop-budget.ts';
import type { SafeObserver } from '../observe/observer.ts';

/** Held requests that one iteration of the event loop looks at: each may be answered before it ends, at 0.3 ms and more. */
const WAKES_PER_ITERATION = 25;

/** One held request. Register it before the state is fetched, so that nothing slips between. */
interface Waiter<S> {
  /**
   * Resolves with the first published state that `isDone` accepts, or null when the time is over, the process drains,
   * the client left or a newer poll of the same holder took its place. Rejects with what `isDone` throws.
   */
  until(isDone: (state: S) => boolean, waitMs: number, signal?: AbortSignal): Promise<S | null>;
  release(): void;
}

export interface Waiters<S> {
  /** @param holder whose polls are counted together; the oldest gives way beyond the limit */
  register(sessionId: string, holder: string, maxPerHolder: number): Waiter<S>;
  /** The present, for `publish`: later ticks are greater. */
  tick(): number;
  /**
   * Shows a newer state to the waiters of the session, some in each iteration of the event loop.
   *
   * @param tick when the statement that confirmed the state was sent: for those registered or shown another one since
   *   then it may be old. Left out, it is news to all.
   * @param since when this process knew that there was one, on the clock of the observer
   * @returns whether all of them were shown it
   */
  publish(sessionId: string, state: S, tick?: number, since?: number): boolean;
  /** Ends the waits on one session early. */
  end(sessionId: string): void;
  sessionIds(): string[];
  count(): number;
  /** Resolves when an answer may be made: so few in each iteration of the event loop, those of the waits included. */
  nextSlot(): Promise<void>;
  /** Ends every wait early; later ones end at once. Resolves when all have been told. */
  drain(): Promise<void>;
  isDraining(): boolean;
}

interface Held<S> {
  readonly sessionId: string;
  readonly holder: string;
  /** What was confirmed by a statement sent before this tick is no news. */
  tick: number;
  latest: S | undefined;
  /** Since when `latest` was known here; left out where nobody watches. */
  since: number | undefined;
  /** The same of the state that ended the wait. */
  wokenSince: number | undefined;
  /** Told to give way before it began to wait. */
  isEnded: boolean;
  look: () => void;
  end: () => void;
}

export function createWaiters<S>(clock: Clock, observer?: SafeObserver): Waiters<S> {
  const bySession = new Map<string, Set<Held<S>>>();
  const byHolder = new Map<string, Set<Held<S>>>();
  const withinBudget = createBudget(WAKES_PER_ITERATION);
  let draining = false;
  let ticks = 0;
  const tick = (): number => {
    ticks += 1;
    return ticks;
  };

  const release = (held: Held<S>): void => {
    removeFrom(bySession, held.sessionId, held);
    removeFrom(byHolder, held.holder, held);
    if (observer && held.wokenSince !== undefined) observer.woken(observer.now() - held.wokenSince);
  };

  const endAll = (waiting: Iterable<Held<S>>): void => {
    for (const held of [...waiting]) withinBudget(() => held.end());
  };

  const nextSlot = (): Promise<void> => new Promise((resolve) => withinBudget(resolve));

  return {
    register(sessionId, holder, maxPerHolder) {
      const unknown = { latest: undefined, since: undefined, wokenSince: undefined };
      const state = { ...unknown, isEnded: draining, look: nothing, end: nothing };
      const held: Held<S> = { sessionId, holder, tick: tick(), ...state };
      held.end = () => {
        held.isEnded = true;
      };
      addTo(bySession, sessionId, held);
      addTo(byHolder, holder, held);
      endOldest(byHolder.get(holder), maxPerHolder);
      return {
        until: (isDone, waitMs, signal) => hold(clock, held, { isDone, waitMs, signal }),
        release: () => release(held),
      };
    },
    tick,
    publish(sessionId, state, sent = tick(), since = observer?.now()) {
      const all = [...(bySession.get(sessionId) ?? [])];
      const waiting = all.filter((held) => held.tick <= sent);
      for (const held of waiting) Object.assign(held, { latest: state, tick: sent, since });
      for (const held of waiting) withinBudget(() => held.look());
      return waiting.length === all.length;
    },
    end: (sessionId) => endAll(bySession.get(sessionId) ?? []),
    sessionIds: () => [...bySession.keys()],
    count: () => Array.from(bySession.values(), ({ size }) => size).reduce((sum, size) => sum + size, 0),
    nextSlot,
    drain() {
      draining = true;
      for (const waiting of bySession.values()) endAll(waiting);
      return nextSlot();
    },
    isDraining: () => draining,
  };
}

interface Hold<S> {
  readonly isDone: (state: S) => boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

function hold<S>(clock: Clock, held: Held<S>, { isDone, waitMs, signal }: Hold<S>): Promise<S | null> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      cancel();
      signal?.removeEventListener('abort', held.end);
      held.look = nothing;
      held.end = nothing;
      finish();
    };
    held.end = () => settle(() => resolve(null));
    held.look = () => {
      const { latest } = held;
      if (latest === undefined) return;
      try {
        if (!isDone(latest)) return;
        held.wokenSince = held.since;
        settle(() => resolve(latest));
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const cancel = clock.after(waitMs, held.end);
    if (held.isEnded || signal?.aborted) held.end();
    else signal?.addEventListener('abort', held.end, { once: true });
    held.look();
  });
}

function endOldest<S>(polls: Set<Held<S>> | undefined, max: number): void {
  if (!polls || polls.size <= max) return;
  const oldest = polls.values().next().value;
  if (!oldest) return;
  polls.delete(oldest);
  oldest.end();
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  const set = sets.get(key) ?? new Set<T>();
  sets.set(key, set.add(item));
}

function removeFrom<T>(sets: Map<string, Set<T>>, key: string, item: T): void {
  const set = sets.get(key);
  set?.delete(item);
  if (set?.size === 0) sets.delete(key);
}

const nothing = (): void => undefined;
