import { createParley, OutcomeUnknown, ParleyError, StorageUnavailable } from '@parley/core';
import { connect } from './connection.ts';
import { clockOf, createProcess, type HostProcess } from './process.ts';
import type { World } from './world.ts';

/** A machine that runs a process of Parley, and starts another after a crash. */
export interface Host {
  readonly name: string;
  /** Undefined while the host is down. */
  process: HostProcess | undefined;
  /** Milliseconds by which the host's clock differs from the true time. */
  clockOffset: number;
}

const MINUTE_MS = 60_000;
/** Snapshots are saved every 8 events, because a session of a run has only some dozens of events. */
const SNAPSHOTS = { every: 8 };

export function createHost(world: World, name: string): Host {
  const { faults, prng } = world;
  let clockOffset = 0;
  if (faults.isOn('clockSkew')) {
    clockOffset = prng.between(-5 * MINUTE_MS, 5 * MINUTE_MS);
    faults.count('clockSkew');
  }
  return { name, process: undefined, clockOffset };
}

/** Starts the process of a host. If the process crashes, starts another. */
export async function startHost(world: World, host: Host): Promise<void> {
  const { timeline, prng, settings, ledger, faults } = world;
  const process = createProcess(world, host.name, () => {
    host.process = undefined;
    timeline.after(prng.between(100, 4_000), () => void startHost(world, host));
  });
  host.process = process;
  process.parley = await createParley({
    storage: world.storageOf(connect(world, process)),
    clock: clockOf(world, process, () => host.clockOffset),
    random: prng.bytes,
    cache: settings.cache,
    limits: settings.limits,
    sharedLimits: settings.isShared,
    snapshots: SNAPSHOTS,
    onFailure: (cause) => {
      if (!isExpected(cause) && !(isSpoilt(cause) && faults.isOn('snapshotSpoilt')))
        ledger.violate(`${host.name} failed: ${describe(cause)}`);
    },
  });
  world.trace.say(`${host.name}: up`);
}

/**
 * Whether the failure is a refusal, or was caused by a fault of the storage. Every other failure is a defect of Parley.
 */
const isExpected = (cause: unknown): boolean =>
  cause instanceof StorageUnavailable || cause instanceof OutcomeUnknown || cause instanceof ParleyError;

/** Whether the failure reports an invalid snapshot. Parley does not use such a snapshot. */
const isSpoilt = (cause: unknown): boolean => String(cause).startsWith('Error: The snapshot of session');

const describe = (cause: unknown): string => (cause instanceof Error && cause.stack) || String(cause);
