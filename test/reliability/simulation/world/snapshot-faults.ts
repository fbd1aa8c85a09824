import type { StoredSnapshot } from '@parley/core';
import type { World } from './world.ts';

/**
 * Returns the newest snapshot. If the fault `snapshotSpoilt` happens, returns instead an older snapshot, or the newest
 * one cut off, changed, or with another event number.
 */
export function takeSnapshot(world: World, sessionId: string, foldVersion: number): StoredSnapshot | null {
  const { store, faults, prng } = world;
  const newest = store.snapshots.get(sessionId, foldVersion);
  if (newest === null || !faults.fires('snapshotSpoilt')) return newest;
  const { body } = newest;
  const history = store.snapshots.history(sessionId, foldVersion);
  const middle = Math.trunc(body.length / 2);
  const spoilt = [
    { ...newest, body: body.slice(0, middle) },
    { ...newest, body: `${body.slice(0, middle)}1${body.slice(middle)}` },
    { ...newest, seq: newest.seq + 1 },
    history[prng.below(history.length)] ?? newest,
  ];
  return spoilt[prng.below(spoilt.length)] ?? newest;
}
