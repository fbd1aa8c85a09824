import type { Clock } from '../clock.ts';
import type { Departure } from '../operation/host-port.ts';

/** The fetch or append by which a state was confirmed. */
export interface Confirmation {
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
      readonly stopTimer: () => void;
      readonly resolve: (state: S | null) => void;
      readonly reject: (error: unknown) => void;
    }
  | { readonly name: 'DONE' };

interface Wait<S> {
  readonly isDone: (state: S) => boolean;
  readonly waitMs: number;
  readonly signal: Departure | undefined;
}

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
export class Waiter<S> {
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
    if (this.#phase.name === 'WAITING') this.#phase.stopTimer();
    this.#phase = { name: 'DONE' };
  }
}
