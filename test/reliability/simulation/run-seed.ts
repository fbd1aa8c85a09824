import { checkQuiet } from './checks/quiet-checks.ts';
import { cast } from './clients/cast.ts';
import { plan } from './clients/chaos.ts';
import { openSession, type SimulatedSession } from './clients/session.ts';
import type { Fault } from './world/faults.ts';
import { startHost } from './world/host.ts';
import { createWorld, type Plant, type World } from './world/world.ts';

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly faults: ReadonlyMap<Fault, number>;
  readonly trace: readonly string[];
  readonly hash: string;
  readonly requests: number;
}

/** Virtual milliseconds after which clients start no new work. */
const LENGTH_MS = 30_000;
/** Virtual milliseconds after which all long-polls and retries have ended. */
const END_MS = 300_000;

/** Runs one seed in virtual time, from the creation of the sessions to the last check. */
export async function runSeed(seed: number, plant: Plant = {}): Promise<Outcome> {
  const world = createWorld(seed, plant);
  const { ledger, trace, faults } = world;
  try {
    const sessions = await opened(world);
    await playedOut(world, sessions);
    if (ledger.violations.length === 0) await drive(world, checkQuiet(world, sessions));
    ledger.close();
  } catch (error) {
    if (ledger.violations.length === 0) ledger.violate(`the run broke off: ${error}`);
  }
  return {
    seed,
    violations: ledger.violations,
    faults: faults.counts,
    trace: trace.lines,
    hash: trace.hash(),
    requests: trace.lines.filter((line) => line.endsWith(' begins')).length,
  };
}

async function opened(world: World): Promise<SimulatedSession[]> {
  for (const host of world.hosts) await drive(world, startHost(world, host));
  const count = world.prng.chance(0.15) ? 2 : 1;
  const sessions: SimulatedSession[] = [];
  while (sessions.length < count) sessions.push(await drive(world, openSession(world)));
  return sessions;
}

async function playedOut(world: World, sessions: readonly SimulatedSession[]): Promise<void> {
  const { timeline, faults } = world;
  faults.setCalm(false);
  for (const session of sessions) plan(world, session, LENGTH_MS);
  const clients = Promise.all(sessions.flatMap((session) => cast(world, session)));
  timeline.after(LENGTH_MS, () => {
    world.isOver = true;
    faults.setCalm(true);
  });
  await drive(world, clients);
}

/** Advances the virtual time until the promise settles. Stops at the first violation. */
async function drive<T>({ timeline, ledger }: World, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  await timeline.settle();
  while (!isSettled && (await timeline.step(END_MS))) {
    if (ledger.violations.length > 0) throw new Error('It stops at the first violation.');
  }
  if (!isSettled) throw new Error('Nothing is left to happen, and the run is not over.');
  return await settled;
}
