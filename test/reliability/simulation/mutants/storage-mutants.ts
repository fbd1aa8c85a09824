import type { Head, LogTail, Storage } from '@parley/core';
import type { Plant } from '../world/world.ts';

/** Mistakes in a storage adapter. Each wraps a correct storage. */
export const STORAGE_MUTANTS: Readonly<Record<string, Plant>> = {
  'the append compares nothing': {
    store: (store) => ({
      ...store,
      append: (append) => store.append({ ...append, expected: headOf(store.fetch(append.sessionId, 0)) }),
    }),
  },
  'a request joins a fetch in flight': { storage: joiningFetches },
  'the rate windows count in one process': { storage: countingAlone },
};

const headOf = (tail: LogTail | null): Head => tail?.head ?? { seq: 0, hash: '' };

function joiningFetches(storage: Storage): Storage {
  const inFlight = new Map<string, Promise<LogTail | null>>();
  return {
    ...storage,
    fetch(sessionId, after) {
      const key = `${sessionId} ${after}`;
      const joined = inFlight.get(key);
      if (joined) return joined;
      const fetched = storage.fetch(sessionId, after).finally(() => inFlight.delete(key));
      inFlight.set(key, fetched);
      return fetched;
    },
  };
}

let processes = 0;

/** Gives each process its own names for counters, as if each process counted in its own memory. */
function countingAlone(storage: Storage): Storage {
  processes += 1;
  const name = `process ${processes}`;
  return {
    ...storage,
    async countWindow(windowMs, counts) {
      const own = counts.map(({ bucket, n }) => ({ bucket: `${name} ${bucket}`, n }));
      const totals = await storage.countWindow(windowMs, own);
      return totals.map(({ bucket, n }) => ({ bucket: bucket.slice(name.length + 1), n }));
    },
  };
}
