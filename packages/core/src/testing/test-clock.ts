import type { Clock } from '../kernel/clock.ts';
import type { RandomBytes } from '../kernel/token/token.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /** Moves the time and runs, in order of time, every timer that comes due on the way. */
  advance(ms: number): void;
  /** Timers that wait to come due. */
  pending(): number;
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/**
 * Time for tests: nothing happens by itself, timers run inside `advance`.
 *
 * @param start ISO 8601; where the clock stands at first
 */
export function createTestClock(start = '2026-01-05T09:00:00.000Z'): TestClock {
  const timers = new Set<Timer>();
  let now = Date.parse(start);
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)[0];
  return {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + ms, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.task();
      }
      now = end;
    },
    pending: () => timers.size,
  };
}

/** Bytes that are the same in every run: the same seed gives the same ids. Never for anything but tests. */
export function createTestRandom(seed = 1): RandomBytes {
  let state = seed >>> 0;
  const nextByte = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return (length) => Uint8Array.from({ length }, nextByte);
}
