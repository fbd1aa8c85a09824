import type { MemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import type { Append, LogTail, Storage } from '../../../src/kernel/storage/storage.ts';

type Twist<A extends readonly unknown[], T> = (real: (...args: A) => Promise<T>, ...args: A) => Promise<T>;

/** A storage that records its calls. A test can change the answers to its next calls. */
export interface TapedStorage {
  readonly storage: Storage;
  /** Calls since the last `taken()`, such as `fetch 3` (events after number 3) or `append 4-5`. */
  taken(): string[];
  /** All appends so far, in order. */
  readonly appends: Append[];
  nextFetch(twist: Twist<[string, number], LogTail | null>): void;
  nextAppend(twist: Twist<[Append], 'appended' | 'refused'>): void;
  /** From now on, the storage sends no hints. */
  loseHints(): void;
}

export function tapeStorage(memory: MemoryStorage): TapedStorage {
  let calls: string[] = [];
  let areHintsLost = false;
  const appends: Append[] = [];
  const fetches: Twist<[string, number], LogTail | null>[] = [];
  const twists: Twist<[Append], 'appended' | 'refused'>[] = [];
  const storage: Storage = {
    ...memory,
    async append(append) {
      calls.push(`append ${append.events.map(({ seq }) => seq).join('+')}`);
      appends.push(append);
      const twist = twists.shift();
      return await (twist ? twist(memory.append, append) : memory.append(append));
    },
    async fetch(sessionId, after) {
      calls.push(`fetch ${after}`);
      const twist = fetches.shift();
      return await (twist ? twist(memory.fetch, sessionId, after) : memory.fetch(sessionId, after));
    },
    async events(sessionId, from, to, maxBytes) {
      calls.push(`events ${from}-${to}`);
      return await memory.events(sessionId, from, to, maxBytes);
    },
    hint(sessionIds) {
      if (!areHintsLost) memory.hint(sessionIds);
    },
  };
  return {
    storage,
    appends,
    taken() {
      const taken = calls;
      calls = [];
      return taken;
    },
    nextFetch: (twist) => void fetches.push(twist),
    nextAppend: (twist) => void twists.push(twist),
    loseHints() {
      areHintsLost = true;
    },
  };
}
