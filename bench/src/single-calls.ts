import type { Parley } from '@parley/core';
import type { Figures } from './bench.ts';
import { makeTurn, type Seats, tokenAt } from './seats.ts';
import { median } from './statistics.ts';

/** A session, the index of its next turn, and the number of its last message. */
export interface Place {
  readonly seats: Seats;
  turnIndex: number;
  lastMessage: number;
}

export const placeOf = (seats: Seats): Place => ({ seats, turnIndex: 0, lastMessage: 0 });

export const SINGLE_CALLS = ['post_turn', 'read_session_state', 'wait_for_my_turn', 'read_messages'] as const;

const PAGE = 10;

export async function postTurn(parley: Parley, place: Place): Promise<void> {
  const agent = parley.agent(tokenAt(place.seats, place.turnIndex));
  place.lastMessage = (await agent.call('post_turn', makeTurn())).message_id;
  place.turnIndex += 1;
}

/** Makes calls one at a time, to one session after another. Returns the median milliseconds of each kind of call. */
export async function useSessions(parley: Parley, places: readonly Place[], samples: number): Promise<Figures> {
  const taken: Record<(typeof SINGLE_CALLS)[number], number[]> = {
    post_turn: [],
    read_session_state: [],
    wait_for_my_turn: [],
    read_messages: [],
  };
  for (let index = 0; index < samples; index += 1) {
    const place = places[index % places.length];
    if (!place) throw new Error('No session was seated.');
    const agent = parley.agent(tokenAt(place.seats, 0));
    taken.post_turn.push(await timed(() => postTurn(parley, place)));
    taken.read_session_state.push(await timed(() => agent.call('read_session_state', {})));
    taken.wait_for_my_turn.push(await timedWait(parley, place));
    // Reads the same number of last messages in every session, so that the sessions differ only in the length of their
    // history.
    const after = Math.max(0, place.lastMessage - PAGE);
    taken.read_messages.push(await timed(() => agent.call('read_messages', { after })));
  }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]));
}

/** Measures the milliseconds from posting a turn to the answer of the other agent's `wait_for_my_turn`. */
async function timedWait(parley: Parley, place: Place): Promise<number> {
  const answered = parley
    .agent(tokenAt(place.seats, place.turnIndex + 1))
    .call('wait_for_my_turn', { wait: 25 })
    .then((state) => ({ state, at: performance.now() }));
  while (parley.heldPolls() === 0) await new Promise((resolve) => setImmediate(resolve));
  const begin = performance.now();
  const [{ state, at }] = await Promise.all([answered, postTurn(parley, place)]);
  if (!state.your_turn) throw new Error('The wait ended without the turn.');
  return at - begin;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
