import type { Clock } from '@parley/core';

interface Timer {
  readonly ms: number;
  readonly dueAt: number;
  readonly task: () => void;
}

/** A clock whose time changes only by `advance`. */
export interface VirtualClock extends Clock {
  /** Runs the timers that become due, in order. */
  advance(ms: number): void;
  /** Resolves when exactly `count` timers are pending that were set for `ms` milliseconds. */
  pending(ms: number, count: number): Promise<void>;
}

export function createVirtualClock(start = Date.parse('2026-11-21T09:00:00Z')): VirtualClock {
  const timers = new Set<Timer>();
  const watchers = new Set<() => void>();
  let now = start;
  const changed = (): void => {
    for (const watch of watchers) watch();
  };
  const countOf = (ms: number): number => [...timers].filter((timer) => timer.ms === ms).length;

  return {
    now: () => now,
    after(ms, task) {
      const timer = { ms, dueAt: now + ms, task };
      timers.add(timer);
      changed();
      return () => {
        if (timers.delete(timer)) changed();
      };
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = nextDue(timers, end); timer; timer = nextDue(timers, end)) {
        now = timer.dueAt;
        timers.delete(timer);
        timer.task();
        changed();
      }
      now = end;
    },
    pending: (ms, count) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (countOf(ms) !== count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}

function nextDue(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  return [...timers].filter(({ dueAt }) => dueAt <= end).toSorted((a, b) => a.dueAt - b.dueAt)[0];
}
