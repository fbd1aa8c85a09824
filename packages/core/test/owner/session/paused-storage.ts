import { createMemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import type { Storage } from '../../../src/kernel/storage/storage.ts';

type Pausable = 'create' | 'append' | 'fetch' | 'list';

/** A pause before one storage call. `reached` resolves when the call is made. The call waits until `resume`. */
interface Pause {
  readonly reached: Promise<void>;
  resume(): void;
}

export interface PausedStorage {
  readonly storage: Storage;
  /** Pauses a call of this name: the next call, or the call after `after` further calls. */
  pause(name: Pausable, after?: number): Pause;
}

interface Waiting {
  readonly name: Pausable;
  left: number;
  readonly hold: () => Promise<void>;
}

/** A storage in memory whose calls a test can pause, so that other calls run in between. */
export function createPausedStorage(): PausedStorage {
  const memory = createMemoryStorage();
  const waiting = new Set<Waiting>();
  const pass = async (name: Pausable): Promise<void> => {
    for (const pause of waiting) {
      if (pause.name !== name) continue;
      if (pause.left > 0) pause.left -= 1;
      else {
        waiting.delete(pause);
        return await pause.hold();
      }
    }
  };
  const storage: Storage = {
    ...memory,
    create: async (...args) => await pass('create').then(() => memory.create(...args)),
    append: async (append) => await pass('append').then(() => memory.append(append)),
    fetch: async (...args) => await pass('fetch').then(() => memory.fetch(...args)),
    list: async (...args) => await pass('list').then(() => memory.list(...args)),
  };
  return {
    storage,
    pause(name, after = 0) {
      const reached = createFlag();
      const resumed = createFlag();
      const hold = () => {
        reached.raise();
        return resumed.raised;
      };
      waiting.add({ name, left: after, hold });
      return { reached: reached.raised, resume: resumed.raise };
    },
  };
}

function createFlag(): { readonly raised: Promise<void>; readonly raise: () => void } {
  let raise = (): void => undefined;
  const raised = new Promise<void>((resolve) => {
    raise = resolve;
  });
  return { raised, raise };
}
