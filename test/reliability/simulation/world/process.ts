import type { Clock, Parley } from '@parley/core';
import type { World } from './world.ts';

/** Start time of every run. */
export const EPOCH = Date.parse('2026-01-05T09:00:10.000Z');

/** Time of a wake-up, and the time of the state it was about. */
interface Wake {
  readonly at: number;
  readonly asOf: number;
}

/** One process of a host, from start to crash. */
export interface HostProcess {
  readonly name: string;
  isAlive: boolean;
  /** Set after it has started. */
  parley: Parley | undefined;
  hear: (sessionIds: readonly string[]) => void;
  /** Functions that end the pending requests of this process. */
  readonly pending: Set<() => void>;
  /** Times at which its reads of the storage failed. */
  readonly failedAt: number[];
  /** Records that the process learned the state of a session as of a time. */
  wake(sessionId: string, asOf: number): void;
  wakes(sessionId: string): readonly Wake[];
  crash(): void;
}

export function createProcess({ timeline, trace }: World, name: string, onCrash: () => void): HostProcess {
  const woken = new Map<string, Wake[]>();
  const process: HostProcess = {
    name,
    isAlive: true,
    parley: undefined,
    hear: () => undefined,
    pending: new Set(),
    failedAt: [],
    wake: (sessionId, asOf) =>
      void woken.set(sessionId, [...(woken.get(sessionId) ?? []), { at: timeline.now(), asOf }]),
    wakes: (sessionId) => woken.get(sessionId) ?? [],
    crash() {
      if (!process.isAlive) return;
      process.isAlive = false;
      trace.say(`${name}: crash, ${process.pending.size} requests cut off`);
      for (const cutOff of process.pending) cutOff();
      process.pending.clear();
      onCrash();
    },
  };
  return process;
}

/** Clock of one process, with its own error, and timers that end with the process. */
export function clockOf({ timeline }: World, process: HostProcess, offset: () => number): Clock {
  return {
    now: () => EPOCH + Math.round(timeline.now() + offset()),
    after: (ms, task) => timeline.after(ms, () => process.isAlive && task()),
  };
}
