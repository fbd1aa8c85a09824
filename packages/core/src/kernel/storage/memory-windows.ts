import { assertStorableText } from './storable.ts';
import type { RateCount } from './storage.ts';

/** The counters of the current window, for one window length. */
export interface RateWindow {
  readonly number: number;
  readonly counts: Map<string, number>;
}

interface Counting {
  readonly now: () => number;
  /** The current windows, by window length in milliseconds. */
  readonly windows: Map<number, RateWindow>;
}

export function countWindow(memory: Counting, windowMs: number, counts: readonly RateCount[]): readonly RateCount[] {
  for (const { bucket } of counts) assertStorableText('a bucket', bucket);
  const number = Math.floor(memory.now() / windowMs);
  const known = memory.windows.get(windowMs);
  const window = known?.number === number ? known : { number, counts: new Map<string, number>() };
  memory.windows.set(windowMs, window);
  return counts.map(({ bucket, n }) => {
    const total = (window.counts.get(bucket) ?? 0) + n;
    window.counts.set(bucket, total);
    return { bucket, n: total };
  });
}
