/** A source of time and timers. Functions take it as a parameter, so that tests and simulations can control the time. */
export interface Clock {
  /** The current time, in milliseconds since the epoch. */
  now(): number;
  /** Runs `task` after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

let formatted = { ms: 0, text: '1970-01-01T00:00:00.000Z' };

/** Formats a time as ISO 8601 UTC. The last result is cached, because a request formats the same millisecond several times. */
export function isoTime(ms: number): string {
  if (formatted.ms !== ms) formatted = { ms, text: new Date(ms).toISOString() };
  return formatted.text;
}

/** The latest of times in ISO 8601 UTC. Null if there is none. */
export function latestTime(times: readonly (string | null | undefined)[]): string | null {
  let latest: string | null = null;
  for (const time of times) if (time && (latest === null || time > latest)) latest = time;
  return latest;
}

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

/** The settings of `backOffMs`. */
interface BackOff {
  /** The pause after the first failure, in milliseconds. */
  readonly firstMs: number;
  /** The longest pause, in milliseconds. */
  readonly mostMs: number;
  /**
   * A random number from 0 to 1. It shortens the pause by up to a quarter, so that clients whose calls failed at the same
   * time do not retry at the same time.
   */
  readonly random: number;
}

/**
 * Milliseconds to wait before the next try: `firstMs` after the first failure, doubled after each further failure, at most
 * `mostMs`.
 *
 * @param failures failures in a row, at least 1
 */
export const backOffMs = (failures: number, { firstMs, mostMs, random }: BackOff): number =>
  Math.min(firstMs * 2 ** (failures - 1), mostMs) * (1 - random / 4);
