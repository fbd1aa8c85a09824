import type { Parley } from '@parley/core';
import type { Footprint } from './host-options.ts';

/** Not counted: short-lived timers. A connection or a poll that owns such a timer is counted itself. */
const PASSING = new Set(['Timeout', 'Immediate', 'TickObject']);

/** Memory and handles of this process after a full garbage collection. */
export function takeFootprint(parley: Parley): Footprint {
  // Collects twice: the second collection frees the objects that finalizers released in the first.
  for (let n = 0; n < 2; n += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    ...{ rssBytes: rss, heapBytes: heapUsed, externalBytes: external },
    handles: process.getActiveResourcesInfo().filter((kind) => !PASSING.has(kind)).length,
    heldPolls: parley.heldPolls(),
    caches: parley.cacheUse(),
  };
}
