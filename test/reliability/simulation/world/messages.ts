import type { HostProcess } from './process.ts';
import type { Basis, World } from './world.ts';

/**
 * Milliseconds that a message to or from the storage takes: at least `low`, usually up to `usual`, sometimes up to
 * `rare`, and up to `slow` during a fault.
 */
const STORAGE_DELAY = { low: 0.2, usual: 12, rare: 40, slow: 1_200 } as const;

function delay({ prng, faults }: World): number {
  if (faults.fires('storageSlow')) return prng.between(STORAGE_DELAY.rare, STORAGE_DELAY.slow);
  return prng.between(STORAGE_DELAY.low, prng.chance(0.1) ? STORAGE_DELAY.rare : STORAGE_DELAY.usual);
}

/** Milliseconds of the longest possible round trip to the storage in this run. */
export const longestRoundTrip = ({ faults }: Basis): number =>
  2 * (faults.isOn('storageSlow') ? STORAGE_DELAY.slow : STORAGE_DELAY.rare);

/**
 * Maximum milliseconds for loading a session that is not cached. Loading makes at most four round trips: for the head,
 * for the snapshot, for later events and, if these events do not follow the snapshot, for the whole log.
 */
export const longestLook = (basis: Basis): number => 4 * longestRoundTrip(basis);

/** Delivers a message after a delay, even if the sender crashes meanwhile. */
export function arrive(world: World, task: () => void): void {
  world.timeline.after(delay(world), task);
}

/** Sends a message and returns its answer. If the process crashes before the answer, the promise never settles. */
export function exchange<T>(world: World, process: HostProcess, work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    if (!process.isAlive) return;
    const comeBack = (finish: () => void): void => arrive(world, () => process.isAlive && finish());
    arrive(world, () => {
      try {
        const result = work();
        comeBack(() => resolve(result));
      } catch (error) {
        comeBack(() => reject(error));
      }
    });
  });
}

/** Resolves after `ms` milliseconds. If the process crashes before then, the promise never settles. */
export const wait = ({ timeline }: World, process: HostProcess, ms: number): Promise<void> =>
  new Promise((resolve) => void timeline.after(ms, () => process.isAlive && resolve()));
