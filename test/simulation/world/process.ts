import type { Clock, Parley } from '@parley/core';
import type { World } from './world.ts';

/** The hour at which runs begin. */
export const EPOCH = Date.parse('2026-01-05T09:00:10.000Z');

/** One life of a host, from start to crash. */
export interface HostProcess {
  readonly name: string;
  isAlive: boolean;
  /** Set once it has started. */
  parley: Parley | undefined;
  hear: (sessionIds: readonly string[]) => void;
  /** Ends every request it was working on. */
  readonly pending: Set<() => void>;
  /** When its reads of the storage failed. */
  readonly failedAt: number[];
  /** Notes that it was told of a change of a session. */
  wake(sessionId: string): void;
  wokenAt(sessionId: string): readonly number[];
  crash(): void;
}

export function createProcess({ timeline, trace }: World, name: string, onCrash: () => void): HostProcess {
  const woken = new Map<string, number[]>();
  const process: HostProcess = {
    name,
    isAlive: true,
    parley: undefined,
    hear: () => undefined,
    pending: new Set(),
    failedAt: [],
    wake: (sessionId) => void woken.set(sessionId, [...(woken.get(sessionId) ?? []), timeline.now()]),
    wokenAt: (sessionId) => woken.get(sessionId) ?? [],
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

/** The clock of one process: its own idea of the time, and timers that die with it. */
export function clockOf({ timeline }: World, process: HostProcess, offset: () => number): Clock {
  return {
    now: () => EPOCH + Math.round(timeline.now() + offset()),
    after: (ms, task) => timeline.after(ms, () => process.isAlive && task()),
  };
}
