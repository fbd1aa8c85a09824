import type { Parley } from '@parley/core';
import type { Footprint } from './host-options.ts';

/**
 * Kinds of resources that are not counted, because they are short-lived. A connection or poll that owns a timer is counted
 * itself.
 */
const PASSING = new Set(['Timeout', 'Immediate', 'TickObject']);

/** Memory and handles of this process after a full garbage collection. */
export function takeFootprint(parley: Parley): Footprint {
  // The second collection frees the objects that finalizers released in the first.
  for (let n = 0; n < 2; n += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    ...{ rssBytes: rss, heapBytes: heapUsed, externalBytes: external },
    handles: process.getActiveResourcesInfo().filter((kind) => !PASSING.has(kind)).length,
    heldPolls: parley.heldPolls(),
    caches: parley.cacheUse(),
  };
}
