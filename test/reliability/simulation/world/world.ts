import type { Limits, ParleyOptions, Storage } from '@parley/core';
import { createLedger, type Ledger } from '../checks/ledger.ts';
import { createFaults, type Faults } from './faults.ts';
import { createHost, type Host } from './host.ts';
import { createPrng, type Prng } from './prng.ts';
import { EPOCH } from './process.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createTrace, type Trace } from './trace.ts';
import { createTrueStore, type TrueStore } from './true-store.ts';

/** The parts that a planted mistake replaces. See docs/simulation.md. */
export interface Plant {
  readonly store?: (store: TrueStore) => TrueStore;
  readonly storage?: (storage: Storage) => Storage;
}

/** Settings that are chosen at random for each run. */
interface Settings {
  readonly isShared: boolean;
  readonly perToken: number;
  readonly limits: Partial<Limits>;
  readonly cache: NonNullable<ParleyOptions['cache']>;
}

/** The parts of a simulation run that the checks of this run need. */
export interface Basis {
  readonly seed: number;
  readonly prng: Prng;
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly faults: Faults;
  readonly settings: Settings;
}

/** Everything that belongs to one run. A run uses no other clock and no other random values. */
export interface World extends Basis {
  readonly hosts: readonly Host[];
  readonly store: TrueStore;
  readonly ledger: Ledger;
  readonly storageOf: (storage: Storage) => Storage;
  isOver: boolean;
}

export function createWorld(seed: number, plant: Plant): World {
  const prng = createPrng(seed);
  const timeline = createTimeline();
  const faults = createFaults(prng);
  const basis: Basis = {
    seed,
    prng,
    timeline,
    faults,
    trace: createTrace(timeline.now),
    settings: drawSettings(prng, faults),
  };
  const ledger = createLedger(basis);
  const secret = Buffer.from(prng.bytes(32)).toString('hex');
  const store = createTrueStore({ secret, now: () => EPOCH + timeline.now(), listener: ledger });
  const hosts: Host[] = [];
  const world: World = {
    ...basis,
    ledger,
    hosts,
    store: plant.store?.(store) ?? store,
    storageOf: plant.storage ?? ((storage) => storage),
    isOver: false,
  };
  for (let count = 1 + prng.below(3); hosts.length < count; ) hosts.push(createHost(world, `h${hosts.length + 1}`));
  return world;
}

const LARGE = { stateBytes: 10_000_000, eventBytes: 10_000_000 };
const TINY = { stateBytes: 6_000, eventBytes: 1_500 };

function drawSettings(prng: Prng, faults: Faults): Settings {
  const isShared = prng.chance(0.5);
  const perToken = prng.chance(0.4) ? 15 + prng.below(30) : 600;
  const limits = { perToken, heldPollsPerToken: 2 + prng.below(7) };
  if (faults.isOn('cacheTiny')) faults.count('cacheTiny');
  return { isShared, perToken, limits, cache: faults.isOn('cacheTiny') ? TINY : LARGE };
}
