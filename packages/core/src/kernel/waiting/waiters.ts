import type { Clock } from '../clock.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Departure } from '../operation/host-port.ts';

/**
 * Returns a function that runs tasks in order, but only `perIteration` of them in one iteration of the event loop. Further
 * tasks wait for the next iteration. Work that a task triggers in the same iteration, such as making and sending an answer,
 * counts as part of the task.
 */
function createBudget(perIteration: number): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  let left = perIteration;
  let isScheduled = false;

  function run(task: () => void): void {
    left -= 1;
    task();
  }

  function begin(): void {
    isScheduled = false;
    left = perIteration;
    const now = waiting.slice(0, perIteration);
    waiting = waiting.slice(perIteration);
    if (now.length > 0) schedule();
    for (const task of now) run(task);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(begin);
  }

  return (task) => {
    schedule();
    if (left > 0 && waiting.length === 0) run(task);
    else waiting.push(task);
  };
}

/**
 * Held requests. Each waits for a newer state of its session. Ticks decide whether a state is stale: each registration
 * of a waiter takes a tick, and each append or fetch whose state is shown to waiters takes a tick before it is sent.
 *
 * 1. A waiter registers before it sends its own fetch. Its own fetch therefore shows everything that was confirmed by
 *    statements sent before the registration.
 * 2. A state is stale for a waiter if the statement that confirmed the state was sent before the waiter registered.
 * 3. A state is also stale for a waiter that has already seen a state confirmed by a statement sent later.
 *
 * The class `Waiter` has the phases of one waiter.
 */

/** The fetch or append by which a state was confirmed. */
interface Confirmation {
  /** The tick at which the fetch or append was sent. */
  readonly tick: number;
  /**
   * Time at which this process learned of the state: when its append ended, or when its fetch began. In milliseconds of
   * the observer's clock. Undefined if there is no observer.
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
      readonly cancelTimer: () => void;
      /** The client's connection, and the listener that is called when it ends. */
      readonly signal: Departure | undefined;
      readonly end: () => void;
      readonly resolve: (state: S | null) => void;
      readonly reject: (error: unknown) => void;
    }
  | { readonly name: 'DONE' };

/** What all waiters of a process share. */
interface Home<S> {
  readonly clock: Clock;
  /** Removes a waiter. A second call changes nothing. */
  release(waiter: Waiter<S>): void;
}

const REGISTERED = { name: 'REGISTERED' } as const;
const DONE = { name: 'DONE' } as const;

/**
 * One waiting request. It is in one of three phases:
 *
 * - REGISTERED, after `register`: keeps the latest published state. Moves to WAITING by `until`, or to DONE if it is ended.
 * - WAITING: checks each published state. Moves to DONE when `isDone` accepts a state or throws, or if it is ended.
 * - DONE: has its result. Later states and ends change nothing, and `until` resolves with null.
 *
 * A waiter is ended if its time has passed, its client disconnects, a newer poll of the same holder takes its place, its
 * session is deleted, or the process drains.
 */
class Waiter<S> implements Registration<S> {
  readonly sessionId: string;
  readonly holder: string;
  readonly #home: Home<S>;
  readonly #registeredAt: number;
  #phase: Phase<S> = REGISTERED;
  #latest: Shown<S> | undefined;
  #wokenBy: Shown<S> | undefined;

  constructor(home: Home<S>, sessionId: string, holder: string, tick: number) {
    this.#home = home;
    this.sessionId = sessionId;
    this.holder = holder;
    this.#registeredAt = tick;
  }

  /** The fetch or append whose state ended the wait. Undefined if the wait ended without a state. */
  get wokenBy(): Confirmation | undefined {
    return this.#wokenBy;
  }

  /**
   * Keeps a state as the latest state, unless it was confirmed before the latest state or before the registration. Returns whether
   * it was kept.
   */
  show(shown: Shown<S>): boolean {
    if (shown.tick < (this.#latest?.tick ?? this.#registeredAt)) return false;
    this.#latest = shown;
    return true;
  }

  until(isDone: (state: S) => boolean, waitMs: number, signal?: Departure): Promise<S | null> {
    if (signal?.aborted) this.end();
    if (this.#phase.name !== 'REGISTERED') return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const end = (): void => this.end();
      const cancelTimer = this.#home.clock.after(waitMs, end);
      signal?.addEventListener('abort', end, { once: true });
      this.#phase = { name: 'WAITING', isDone, cancelTimer, signal, end, resolve, reject };
      this.look();
    });
  }

  release(): void {
    this.#home.release(this);
  }

  get isHeld(): boolean {
    return this.#phase.name !== 'REGISTERED';
  }

  /** Ends the wait if `isDone` accepts the latest state or throws. */
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
    if (this.#phase.name === 'WAITING') {
      const { cancelTimer, signal, end } = this.#phase;
      cancelTimer();
      signal?.removeEventListener('abort', end);
    }
    this.#phase = DONE;
  }
}

/** Maximum number of waiters that are checked in one iteration of the event loop. Answering one of them takes 0.3 ms or more. */
const WAKES_PER_ITERATION = 25;

interface Registration<S> {
  /**
   * Resolves with the first published state that `isDone` accepts, or with null if the wait ends without such a state.
   * Rejects with the error that `isDone` throws. May be called once only.
   */
  until(isDone: (state: S) => boolean, waitMs: number, signal?: Departure): Promise<S | null>;
  /** Removes the waiter. Call it when the request is answered; a second call changes nothing. */
  release(): void;
}

export class Waiters<S> {
  readonly #home: Home<S>;
  readonly #observer: SafeObserver | undefined;
  readonly #bySession = new Map<string, Set<Waiter<S>>>();
  readonly #byHolder = new Map<string, Set<Waiter<S>>>();
  readonly #withinBudget = createBudget(WAKES_PER_ITERATION);
  #isDraining = false;
  #ticks = 0;

  constructor(clock: Clock, observer?: SafeObserver) {
    this.#home = { clock, release: (waiter) => this.#release(waiter) };
    this.#observer = observer;
  }

  /**
   * Registers a waiter. Call it before the state is fetched: otherwise the waiter misses a change between the fetch and the wait.
   *
   * @param holder the waiters of one holder are counted together; beyond `maxPerHolder`, the oldest of them ends
   */
  register(sessionId: string, holder: string, maxPerHolder: number): Registration<S> {
    const waiter = new Waiter<S>(this.#home, sessionId, holder, this.tick());
    if (this.#isDraining) waiter.end();
    addTo(this.#bySession, sessionId, waiter);
    addTo(this.#byHolder, holder, waiter);
    this.#endOldest(holder, maxPerHolder);
    return waiter;
  }

  /**
   * Returns the next tick, which is greater than all earlier ticks. Each registration takes a tick; each append or
   * fetch whose state is shown to waiters takes a tick before it is sent.
   */
  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  /**
   * Shows a state to the waiters of its session. One iteration of the event loop checks at most 25 waiters.
   *
   * @returns false if a waiter needs a newer state; the caller must then fetch the session
   */
  publish(sessionId: string, state: S, confirmation: Confirmation): boolean {
    const waiters = [...(this.#bySession.get(sessionId) ?? [])];
    const shown = waiters.filter((waiter) => waiter.show({ ...confirmation, state }));
    for (const waiter of shown) this.#withinBudget(() => waiter.look());
    return shown.length === waiters.length;
  }

  /** Ends all waits for one session. */
  end(sessionId: string): void {
    for (const waiter of [...(this.#bySession.get(sessionId) ?? [])]) this.#withinBudget(() => waiter.end());
  }

  isAwaited(sessionId: string): boolean {
    return this.#bySession.has(sessionId);
  }

  sessionIds(): string[] {
    return [...this.#bySession.keys()];
  }

  /** The number of requests that wait, or whose wait has ended but which are not answered yet. */
  count(): number {
    let held = 0;
    for (const waiters of this.#bySession.values()) for (const { isHeld } of waiters) held += isHeld ? 1 : 0;
    return held;
  }

  /**
   * Resolves when the caller may make one answer. One iteration of the event loop makes at most 25 answers and checks
   * of waiters, counted together.
   */
  nextSlot(): Promise<void> {
    return new Promise((resolve) => this.#withinBudget(resolve));
  }

  /** Ends every wait, and from then on every new wait at once. Resolves when all waits have ended. */
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
