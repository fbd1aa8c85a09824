import { type Append, OutcomeUnknown } from '@parley/core';
import { sendHints } from './hints.ts';
import { arrive, exchange, wait } from './messages.ts';
import type { HostProcess } from './process.ts';
import type { World } from './world.ts';

type Outcome = 'appended' | 'refused';

interface Sending {
  readonly world: World;
  readonly process: HostProcess;
  /**
   * Makes the append at the storage. Returns `died` if the primary has failed since the request was sent, which loses
   * the append.
   */
  readonly land: () => Outcome | 'died';
}

export async function sendAppend(world: World, process: HostProcess, append: Append): Promise<Outcome> {
  const { faults, store, timeline, trace } = world;
  if (!process.isAlive) return await never();
  let landedAt = Number.NEGATIVE_INFINITY;
  const primary = store.takeovers();
  const land = (): Outcome | 'died' => {
    if (store.takeovers() !== primary) return 'died';
    const outcome = store.append(append);
    if (outcome === 'appended') landedAt = timeline.now();
    trace.say(`store: ${process.name} ${append.expected.seq}+${append.events.length} ${outcome}`);
    return outcome;
  };
  if (faults.fires('hintEarly')) sendHints(world, process, [append.sessionId]);
  const outcome = await sendThrough({ world, process, land });
  if (outcome === 'appended') process.wake(append.sessionId, landedAt);
  return outcome;
}

function sendThrough(sending: Sending): Promise<Outcome> {
  const { world, process, land } = sending;
  const { faults } = world;
  if (faults.fires('crashBeforeAppend')) return crashBefore(sending);
  if (faults.fires('crashAfterAppend')) return crashAfter(sending);
  if (faults.fires('appendLost')) return loseOutcome(sending, () => undefined);
  if (faults.fires('appendLanded')) return loseOutcome(sending, land);
  if (faults.fires('appendLandsLate')) return landLate(sending);
  if (faults.fires('appendBusy')) return exchange(world, process, () => 'refused' as const);
  if (faults.fires('appendSlow')) return answerLate(sending);
  return exchange(world, process, () => answerOf(land()));
}

function answerOf(outcome: Outcome | 'died'): Outcome {
  if (outcome !== 'died') return outcome;
  throw new OutcomeUnknown('The primary failed.');
}

const never = (): Promise<Outcome> => new Promise(() => undefined);

function crashBefore({ process }: Sending): Promise<Outcome> {
  process.crash();
  return never();
}

function crashAfter({ world, process, land }: Sending): Promise<Outcome> {
  arrive(world, () => {
    land();
    process.crash();
  });
  return never();
}

/** Breaks the connection, so that the host does not get the outcome of the append. */
async function loseOutcome({ world, process }: Sending, work: () => unknown): Promise<Outcome> {
  arrive(world, work);
  await wait(world, process, world.prng.between(50, 2_000));
  throw new OutcomeUnknown('The connection broke.');
}

/** Breaks the connection. The append is stored later. */
async function landLate(sending: Sending): Promise<Outcome> {
  const { world } = sending;
  world.timeline.after(world.prng.between(60, 4_000), sending.land);
  return await loseOutcome(sending, () => undefined);
}

/** Stores the append, but delays its answer. */
async function answerLate({ world, process, land }: Sending): Promise<Outcome> {
  const outcome = await exchange(world, process, () => answerOf(land()));
  await wait(world, process, world.prng.between(100, 6_000));
  return outcome;
}
