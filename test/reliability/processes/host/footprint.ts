import type { Parley } from '@parley/core';
import type { Footprint } from './host-options.ts';

/** Resources that exist only for a moment and are not counted. */
const PASSING = new Set(['Timeout', 'Immediate', 'TickObject']);

/** Measures memory and handles of this process after a full garbage collection. */
export function takeFootprint(parley: Parley): Footprint {
  // The second collection frees objects that finalizers released during the first.
  for (let n = 0; n < 2; n += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    ...{ rssBytes: rss, heapBytes: heapUsed, externalBytes: external },
    handles: process.getActiveResourcesInfo().filter((kind) => !PASSING.has(kind)).length,
    heldPolls: parley.heldPolls(),
    caches: parley.cacheUse(),
  };
}
