import type { Clock } from '../../../src/kernel/clock.ts';

/** 09:00:00 UTC, at which a window of the rate limits begins. */
export const START = Date.parse('2026-11-21T09:00:00.000Z');

export interface VirtualClock extends Clock {
  /**
   * Advances the time and runs the timers that become due, the earliest first. All work that a timer causes is done before the next
   * timer runs.
   */
  advance(ms: number): Promise<void>;
  /** Advances the time without running timers. */
  jump(ms: number): void;
  /** Milliseconds until each pending timer, in ascending order. */
  timers(): number[];
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/** More iterations of the event loop than two reads of an owner take, between which others get their turn. */
const ITERATIONS = 200;

/** Runs pending promises and immediates, but no timers. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < ITERATIONS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The state of a promise: its value, its error, or `waiting`. */
export async function standing(promise: Promise<unknown>): Promise<unknown> {
  let result: unknown = 'waiting';
  const keep = (outcome: unknown): void => {
    result = outcome;
  };
  promise.then(keep, keep);
  await settle();
  return result;
}

export function virtualClock(start = START): VirtualClock {
  const timers = new Set<Timer>();
  let now = start;
  const ordered = (): Timer[] => [...timers].toSorted((a, b) => a.due - b.due);
  return {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + ms, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let [next] = ordered(); next && next.due <= end; [next] = ordered()) {
        now = Math.max(now, next.due);
        timers.delete(next);
        next.task();
        await settle();
      }
      now = end;
    },
    jump(ms) {
      now += ms;
    },
    timers: () => ordered().map(({ due }) => due - now),
  };
}
