import type { Clock, Parley } from '@parley/core';
import type { World } from './world.ts';

/** The hour at which runs begin. */
export const EPOCH = Date.parse('2026-01-05T09:00:10.000Z');

/** When a process was told of news, and how new they were. */
interface Wake {
  readonly at: number;
  readonly asOf: number;
}

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
  /** Notes that it was told of what a session held at a time. */
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

/** The clock of one process: its own idea of the time, and timers that die with it. */
export function clockOf({ timeline }: World, process: HostProcess, offset: () => number): Clock {
  return {
    now: () => EPOCH + Math.round(timeline.now() + offset()),
    after: (ms, task) => timeline.after(ms, () => process.isAlive && task()),
  };
}
