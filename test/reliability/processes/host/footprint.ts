import type { Parley } from '@parley/core';
import type { Footprint } from './host-options.ts';

/** Timers come and go; they hold nothing that a connection or a poll does not hold as well. */
const PASSING = new Set(['Timeout', 'Immediate', 'TickObject']);

/** What this process holds after all garbage was collected. */
export function takeFootprint(parley: Parley): Footprint {
  // Twice: what is freed by finalizers goes with the second one.
  for (let n = 0; n < 2; n += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    ...{ rssBytes: rss, heapBytes: heapUsed, externalBytes: external },
    handles: process.getActiveResourcesInfo().filter((kind) => !PASSING.has(kind)).length,
    heldPolls: parley.heldPolls(),
    caches: parley.cacheUse(),
  };
}
