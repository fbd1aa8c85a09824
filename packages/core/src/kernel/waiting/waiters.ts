/**
 * Held requests. Each waits for a newer state of its session. Ticks decide whether a state is stale: they put the registrations
 * of this process and the statements that it sends to the storage into one order.
 *
 * 1. A waiter registers before it sends its own fetch. Its own fetch therefore shows everything that was confirmed by
 *   statements sent before the registration.
 * 2. A state is stale for a waiter if the statement that confirmed the state was sent before the waiter registered.
 * 3. A state is also stale for a waiter that has already seen a state confirmed by a statement sent later.
 *
 * A waiter is in one of three phases:
 *
 * - REGISTERED, by `register`: stores the latest state published. Moves to WAITING by `until`, or to DONE when it is ended.
 * - WAITING: checks each state published. Moves to DONE when `isDone` accepts the state or throws, or when it is ended.
 * - DONE: has its result. Further states and ends change nothing, and `until` resolves with null.
 *
 * A waiter is ended when its time is over, its client leaves, a newer poll of the same holder takes its place, its session is
 * deleted, or the process drains.
 */
import type { Clock } from '../clock.ts';
import { createBudget } from '../event-loop-budget.ts';
import type { SafeObserver } from '../observe/observer.ts';

/**
 * Number of waiters that are checked in one iteration of the event loop. Each may be answered in it, which takes 0.3 ms or
 * more.
 */
const WAKES_PER_ITERATION = 25;

/** The statement that confirmed a state. */
export interface Confirmation {
  /** The tick at which the statement was sent. */
  readonly tick: number;
  /**
   * When this process learned that there is a newer state, in milliseconds of the observer's clock. Undefined without an
   * observer.
   */
  readonly knownSince: number | undefined;
}

interface Shown<S> extends Confirmation {
  readonly state: S;
}

type Phase<S> =
  | { readonly name: 'REGISTERED' }
  | {
      readonly name: 'WAITING';
      readonly isDone: (state: S) => boolean;
      readonly stopTimer: () => void;
      readonly resolve: (state: S | null) => void;
      readonly reject: (error: unknown) => void;
    }
  | { readonly name: 'DONE' };

interface Wait<S> {
  readonly isDone: (state: S) => boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The state machine of one held request. */
class Waiter<S> {
  readonly sessionId: string;
  readonly holder: string;
  readonly #registeredAt: number;
  #phase: Phase<S> = { name: 'REGISTERED' };
  #latest: Shown<S> | undefined;
  #wokenBy: Shown<S> | undefined;

  constructor(sessionId: string, holder: string, tick: number) {
    this.sessionId = sessionId;
    this.holder = holder;
    this.#registeredAt = tick;
  }

  /** The state that ended the wait; undefined if the wait ended without a state. */
  get wokenBy(): Confirmation | undefined {
    return this.#wokenBy;
  }

  /** Stores a state as the latest one, unless it is stale. Returns whether it was stored. */
  show(shown: Shown<S>): boolean {
    if (shown.tick < (this.#latest?.tick ?? this.#registeredAt)) return false;
    this.#latest = shown;
    return true;
  }

  wait(clock: Clock, { isDone, waitMs, signal }: Wait<S>): Promise<S | null> {
    if (signal?.aborted) this.end();
    if (this.#phase.name !== 'REGISTERED') return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const end = (): void => this.end();
      const cancelTimer = clock.after(waitMs, end);
      signal?.addEventListener('abort', end, { once: true });
      const stopTimer = (): void => {
        cancelTimer();
        signal?.removeEventListener('abort', end);
      };
      this.#phase = { name: 'WAITING', isDone, stopTimer, resolve, reject };
      this.look();
    });
  }

  /** Checks the latest state. Ends the wait if `isDone` accepts that state or throws. */
  look(): void {
    const [phase, latest] = [this.#phase, this.#latest];
    if (phase.name !== 'WAITING' || latest === undefined) return;
    try {
      if (!phase.isDone(latest.state)) return;
    } catch (error) {
      this.#finish();
      phase.reject(error);
      return;
    }
    this.#wokenBy = latest;
    this.#finish();
    phase.resolve(latest.state);
  }

  /** Ends the wait without a state. */
  end(): void {
    const phase = this.#phase;
    this.#finish();
    if (phase.name === 'WAITING') phase.resolve(null);
  }

  #finish(): void {
    if (this.#phase.name === 'WAITING') this.#phase.stopTimer();
    this.#phase = { name: 'DONE' };
  }
}

/** A registered waiter. It is given to the call that registered it. */
interface Registration<S> {
  /**
   * Resolves with the first published state that `isDone` accepts, or with null if the wait ends without one. Rejects with the
   * error that `isDone` throws. May be called once only.
   */
  until(isDone: (state: S) => boolean, waitMs: number, signal?: AbortSignal): Promise<S | null>;
  /** Removes the waiter. Call it when the request is answered; a second call changes nothing. */
  release(): void;
}

/** The waiters of a process. */
export class Waiters<S> {
  readonly #clock: Clock;
  readonly #observer: SafeObserver | undefined;
  readonly #bySession = new Map<string, Set<Waiter<S>>>();
  readonly #byHolder = new Map<string, Set<Waiter<S>>>();
  readonly #withinBudget = createBudget(WAKES_PER_ITERATION);
  #isDraining = false;
  #ticks = 0;

  constructor(clock: Clock, observer?: SafeObserver) {
    this.#clock = clock;
    this.#observer = observer;
  }

  /**
   * Registers a waiter. Call this before the state is fetched, so that no change between the fetch and the wait is missed.
   *
   * @param holder its polls are counted together; if it has more than `maxPerHolder`, its oldest poll ends
   */
  register(sessionId: string, holder: string, maxPerHolder: number): Registration<S> {
    const waiter = new Waiter<S>(sessionId, holder, this.tick());
    if (this.#isDraining) waiter.end();
    addTo(this.#bySession, sessionId, waiter);
    addTo(this.#byHolder, holder, waiter);
    this.#endOldest(holder, maxPerHolder);
    return {
      until: (isDone, waitMs, signal) => waiter.wait(this.#clock, { isDone, waitMs, signal }),
      release: () => this.#release(waiter),
    };
  }

  /**
   * The next tick. It is greater than all ticks before. Take one for each registration, and for each statement before it is
   * sent.
   */
  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  /**
   * Shows a state to the waiters of its session, to 25 of them in each iteration of the event loop.
   *
   * @returns false if a waiter needs a newer state than this one; the caller then fetches it
   */
  publish(sessionId: string, state: S, confirmation: Confirmation): boolean {
    const waiters = [...(this.#bySession.get(sessionId) ?? [])];
    const shown = waiters.filter((waiter) => waiter.show({ ...confirmation, state }));
    for (const waiter of shown) this.#withinBudget(() => waiter.look());
    return shown.length === waiters.length;
  }

  /** Ends the waits on one session. */
  end(sessionId: string): void {
    for (const waiter of [...(this.#bySession.get(sessionId) ?? [])]) this.#withinBudget(() => waiter.end());
  }

  /** Whether a request waits for the session. */
  isAwaited(sessionId: string): boolean {
    return this.#bySession.has(sessionId);
  }

  /** The sessions that requests wait for. */
  sessionIds(): string[] {
    return [...this.#bySession.keys()];
  }

  count(): number {
    return Array.from(this.#bySession.values(), ({ size }) => size).reduce((sum, size) => sum + size, 0);
  }

  /**
   * Resolves when the caller may make one answer. These answers and the woken waiters together get 25 slots in each iteration
   * of the event loop.
   */
  nextSlot(): Promise<void> {
    return new Promise((resolve) => this.#withinBudget(resolve));
  }

  /** Ends every wait, and from now on every new wait at once. Resolves when all of them have ended. */
  drain(): Promise<void> {
    this.#isDraining = true;
    for (const sessionId of this.sessionIds()) this.end(sessionId);
    return this.nextSlot();
  }

  isDraining(): boolean {
    return this.#isDraining;
  }

  #endOldest(holder: string, max: number): void {
    const polls = this.#byHolder.get(holder);
    const oldest = polls && polls.size > max ? polls.values().next().value : undefined;
    if (!oldest) return;
    polls?.delete(oldest);
    oldest.end();
  }

  #release(waiter: Waiter<S>): void {
    removeFrom(this.#bySession, waiter.sessionId, waiter);
    removeFrom(this.#byHolder, waiter.holder, waiter);
    const knownSince = waiter.wokenBy?.knownSince;
    if (this.#observer && knownSince !== undefined) this.#observer.woken(this.#observer.now() - knownSince);
  }
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
