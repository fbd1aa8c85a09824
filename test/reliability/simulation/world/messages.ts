import type { HostProcess } from './process.ts';
import type { Basis, World } from './world.ts';

/** One way of a message to or from the storage, in milliseconds: mostly quick, at times not. */
const STORAGE_DELAY = { low: 0.2, usual: 12, rare: 40, slow: 1_200 } as const;

function delay({ prng, faults }: World): number {
  if (faults.fires('storageSlow')) return prng.between(STORAGE_DELAY.rare, STORAGE_DELAY.slow);
  return prng.between(STORAGE_DELAY.low, prng.chance(0.1) ? STORAGE_DELAY.rare : STORAGE_DELAY.usual);
}

/** The longest that a question and its answer take in this run. */
export const longestRoundTrip = ({ faults }: Basis): number =>
  2 * (faults.isOn('storageSlow') ? STORAGE_DELAY.slow : STORAGE_DELAY.rare);

/**
 * The longest that a host takes to see a session that it does not know: the head, a snapshot, what came after it, and
 * all of the log when that does not follow.
 */
export const longestLook = (basis: Basis): number => 4 * longestRoundTrip(basis);

/** One way. What was sent arrives even when the sender dies. */
export function arrive(world: World, task: () => void): void {
  world.timeline.after(delay(world), task);
}

/** There and back again. Nothing comes back to the dead: what they wait for never ends. */
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

/** A wait of a process; it ends only if the process lives to see it. */
export const wait = ({ timeline }: World, process: HostProcess, ms: number): Promise<void> =>
  new Promise((resolve) => void timeline.after(ms, () => process.isAlive && resolve()));
