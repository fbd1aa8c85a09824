import type { HostProcess } from './process.ts';
import type { Basis, World } from './world.ts';

/** Delay of a message to or from the storage, in ms: usually short, sometimes long. */
const STORAGE_DELAY = { low: 0.2, usual: 12, rare: 40, slow: 1_200 } as const;

function delay({ prng, faults }: World): number {
  if (faults.fires('storageSlow')) return prng.between(STORAGE_DELAY.rare, STORAGE_DELAY.slow);
  return prng.between(STORAGE_DELAY.low, prng.chance(0.1) ? STORAGE_DELAY.rare : STORAGE_DELAY.usual);
}

/** The longest round trip to the storage in this run. */
export const longestRoundTrip = ({ faults }: Basis): number =>
  2 * (faults.isOn('storageSlow') ? STORAGE_DELAY.slow : STORAGE_DELAY.rare);

/**
 * The longest time in which a host loads a session that is not cached: head, snapshot, events after it, and the whole
 * log if the events do not follow the snapshot.
 */
export const longestLook = (basis: Basis): number => 4 * longestRoundTrip(basis);

/** One-way message. It arrives even if the sender crashes. */
export function arrive(world: World, task: () => void): void {
  world.timeline.after(delay(world), task);
}

/** Round trip. If the process crashes, its promise never settles. */
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

/** A timer of a process; it never fires if the process crashes first. */
export const wait = ({ timeline }: World, process: HostProcess, ms: number): Promise<void> =>
  new Promise((resolve) => void timeline.after(ms, () => process.isAlive && resolve()));
