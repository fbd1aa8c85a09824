import type { Clock } from '../kernel/clock.ts';

/**
 * Milliseconds between two reads of the log of people while a person is watched. A revocation by another process takes
 * effect within this time.
 */
const LOOK_MS = 3_000;

/** A long answer to a person, such as a stream of events. */
export interface Watched {
  /** Aborts when the person is revoked or the person's account is closed. */
  readonly ended: AbortSignal;
  /** Ends the watch. Called when the answer is complete. */
  release(): void;
}

export interface WatchedPeople {
  watch(id: string): Watched;
  isAny(): boolean;
  /** Aborts the signals of the people for whom `isLiving` is false. */
  endUnless(isLiving: (id: string) => boolean): void;
  /** Ends the regular reads of the log of people. */
  close(): void;
}

/**
 * Keeps an abort signal for each long answer to a person.
 *
 * @param look called every 3 s while a person is watched
 */
export function createWatchedPeople(clock: Clock, look: () => void): WatchedPeople {
  const watches = new Map<AbortController, string>();
  let stopTimer: (() => void) | undefined;
  const schedule = (): void => {
    stopTimer ??= clock.after(LOOK_MS, () => {
      stopTimer = undefined;
      if (watches.size === 0) return;
      look();
      schedule();
    });
  };
  return {
    watch(id) {
      const controller = new AbortController();
      watches.set(controller, id);
      schedule();
      return { ended: controller.signal, release: () => void watches.delete(controller) };
    },
    isAny: () => watches.size > 0,
    endUnless(isLiving) {
      for (const [controller, id] of watches) {
        if (isLiving(id)) continue;
        watches.delete(controller);
        controller.abort();
      }
    },
    close: () => stopTimer?.(),
  };
}
