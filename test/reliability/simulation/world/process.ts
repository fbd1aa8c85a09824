import type { Clock, Parley } from '@parley/core';
import type { World } from './world.ts';

export const EPOCH = Date.parse('2026-01-05T09:00:10.000Z');

/** A wake-up: its time, and the time of the state that caused it. */
interface Wake {
  readonly at: number;
  readonly asOf: number;
}

/** A process of a host, from its start to its crash. */
export interface HostProcess {
  readonly name: string;
  isAlive: boolean;
  parley: Parley | undefined;
  hear: (sessionIds: readonly string[]) => void;
  /** Functions that each end a pending request of this process. */
  readonly pending: Set<() => void>;
  /** Times at which reads of the storage failed in this process. */
  readonly failedAt: number[];
  /** Records that the process got the session's state of the time `asOf`. */
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

/** A clock that differs from the virtual time by `offset()` milliseconds. Its timers end with the process. */
export function clockOf({ timeline }: World, process: HostProcess, offset: () => number): Clock {
  return {
    now: () => EPOCH + Math.round(timeline.now() + offset()),
    after: (ms, task) => timeline.after(ms, () => process.isAlive && task()),
  };
}
