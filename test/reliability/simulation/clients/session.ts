import { textIn } from '../checks/reading.ts';
import type { World } from '../world/world.ts';
import type { Seat } from './calls.ts';
import { callOwner, OWNER, renew } from './owner-calls.ts';

export interface SimulatedSession {
  readonly sessionId: string;
  readonly seats: readonly Seat[];
}

const markers = new WeakMap<World, number>();

/** Returns a text that only one write of this run contains. */
export function nextMarker(world: World): string {
  const number = (markers.get(world) ?? 0) + 1;
  markers.set(world, number);
  return `m${number}`;
}

/** Creates a session, redeems its invitations and starts it. Must be called before any fault happens. */
export async function openSession(world: World): Promise<SimulatedSession> {
  const { parley } = world.hosts[0]?.process ?? {};
  if (!parley) throw new Error('No host is up.');
  const created = await parley.owner(OWNER).createSession({
    title: 'Orders and stock',
    objective: 'Orders reserve stock before they are paid.',
    requirements: [{ requirement_id: 'R1', text: 'An order reserves stock.' }],
    round_limit: 4 + world.prng.below(20),
    first_turn: world.prng.pick(['agent_a', 'agent_b']),
  });
  const sessionId = textIn(created, 'session_id');
  const roles = ['agent_a', 'agent_b', 'moderator'] as const;
  const seats = roles.map((role): Seat => ({ sessionId, role, token: '' }));
  for (const seat of seats) await renew(world, seat);
  await callOwner(world, sessionId, { name: 'start' });
  return { sessionId, seats };
}
