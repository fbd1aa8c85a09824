import type { Clock } from '../kernel/clock.ts';
import type { RandomBytes } from '../kernel/token/token.ts';

/** A clock whose time changes only when a test advances it. */
export interface TestClock extends Clock {
  /** Advances the time, and runs every timer that becomes due, the earliest first. */
  advance(ms: number): void;
  /** Number of timers that have not run yet. */
  pending(): number;
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/**
 * A clock for tests, whose timers run only inside `advance`.
 * @param start the initial time, ISO 8601
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

/** A source of repeatable bytes: the same seed gives the same bytes, and therefore the same ids. For tests only. */
export function createTestRandom(seed = 1): RandomBytes {
  let state = seed >>> 0;
  const nextByte = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return (length) => Uint8Array.from({ length }, nextByte);
}
