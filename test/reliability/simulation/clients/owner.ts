import { numberIn, objectIn, objectsIn, textIn } from '../checks/reading.ts';
import type { World } from '../world/world.ts';
import type { Seat } from './calls.ts';
import { callOwner, type OwnerCall, renew, successOf } from './owner-calls.ts';
import { nextMarker, type SimulatedSession } from './session.ts';

interface Owner {
  readonly world: World;
  readonly session: SimulatedSession;
}

/** The owner asks, intervenes, answers, pauses and revokes access, at random. */
export async function runOwner(world: World, session: SimulatedSession): Promise<void> {
  while (!world.isOver) {
    await world.timeline.sleep(world.prng.between(200, 6_000));
    await world.prng.pick(ACTS)({ world, session });
  }
}

const call = ({ world, session }: Owner, request: OwnerCall) => callOwner(world, session.sessionId, request);

const targets = ({ prng }: World): string[] => prng.pick([['agent_a'], ['agent_b'], ['agent_a', 'agent_b']]);

async function view(owner: Owner): Promise<void> {
  const seen = successOf(await call(owner, { name: 'view' }));
  const open = objectsIn(objectIn(seen ?? {}, 'state'), 'open_questions');
  for (const question of open.slice(0, 2)) {
    const marker = nextMarker(owner.world);
    const input = { question_id: textIn(question, 'question_id'), text: `Answer «${marker}»` };
    await call(owner, { name: 'answerQuestion', input, marker });
  }
}

async function readTranscript(owner: Owner): Promise<void> {
  const page = successOf(await call(owner, { name: 'transcript', input: { after: 0 }, after: 0 }));
  const after = numberIn(page ?? {}, 'next_cursor');
  if (after > 0) await call(owner, { name: 'transcript', input: { after }, after });
}

async function ask(owner: Owner): Promise<void> {
  const marker = nextMarker(owner.world);
  const name = owner.world.prng.pick(['ask', 'direct']);
  await call(owner, { name, input: { targets: targets(owner.world), text: `Please «${marker}»` }, marker });
}

async function assign(owner: Owner): Promise<void> {
  const marker = nextMarker(owner.world);
  const target = owner.world.prng.pick(['agent_a', 'agent_b', 'moderator']);
  await call(owner, { name: 'assignAction', input: { target, text: `Task «${marker}»` }, marker });
}

async function takeBack(owner: Owner): Promise<void> {
  const intervention_id = `i_${1 + owner.world.prng.below(5)}`;
  await call(owner, { name: 'withdrawIntervention', input: { intervention_id } });
}

async function pauseForAWhile(owner: Owner): Promise<void> {
  const { world } = owner;
  const marker = nextMarker(world);
  await call(owner, { name: 'pause', input: { reason: `Break «${marker}»` }, marker });
  await world.timeline.sleep(world.prng.between(100, 4_000));
  for (let tries = 0; tries < 3; tries += 1) if (await call(owner, { name: 'resume' })) return;
}

const extend = (owner: Owner) => call(owner, { name: 'extendRounds', input: { rounds: 3 } });

/**
 * Revokes a role's access, if possible while the role polls. The client of the role later asks for a new invitation.
 */
async function revoke(owner: Owner): Promise<void> {
  const seat = pickSeat(owner, 'revokedInPoll');
  if (seat) await call(owner, { name: 'revoke', input: { role: seat.role } });
}

/** Redeems a second invitation of a role. This ends the first token while clients use it. */
async function redeemAgain(owner: Owner): Promise<void> {
  const seat = pickSeat(owner, 'redeemedInPoll');
  if (seat) await renew(owner.world, seat);
}

function pickSeat({ world, session }: Owner, fault: 'revokedInPoll' | 'redeemedInPoll'): Seat | undefined {
  if (!world.faults.isOn(fault)) return undefined;
  const seat = world.prng.pick(session.seats);
  const isPolling = world.ledger
    .openRequests()
    .some(({ facts }) => facts.token === seat.token && facts.waitSeconds !== undefined);
  if (isPolling) world.faults.count(fault);
  return seat;
}

const ACTS = [view, view, readTranscript, ask, ask, assign, takeBack, pauseForAWhile, extend, revoke, redeemAgain];
