import type { Parley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import type { Bench, Figures } from '../bench.ts';
import { makeTurn, openParley, type Seats, seat, tokenAt } from '../seats.ts';
import { median } from '../statistics.ts';

const SHORT = 10;
const LONG = [1_000, 10_000];
/** Turns that a short session gets before the next one takes over: it must stay short. */
const SHORT_TURNS = 10;

export const history: Bench = {
  name: 'history',
  ours: 'post_turn, read_session_state and the last page of read_messages at 1,000 and 10,000 messages, on PostgreSQL.',
  floor: `The same calls at ${SHORT} messages, by the same process.`,
  figures: ['post_turn', 'read_session_state', 'read_messages'].map((name) => ({
    name,
    unit: 'ms',
    target: { atMost: 1.1 },
  })),

  async prepare({ samples, openDatabase }) {
    const storage = await createPostgresStorage({ connectionString: await openDatabase() });
    const parley = await openParley(storage);
    const long = await Promise.all(LONG.map((messages) => openHistory(parley, messages)));
    const entries = long.map((place, index) => [
      `${LONG[index]?.toLocaleString('en')} messages`,
      () => useHistory(parley, [place], samples),
    ]);
    return {
      floor: () => shortRound(parley, samples),
      ours: Object.fromEntries(entries),
      async close() {
        await parley.close();
        await storage.close();
      },
    };
  },
};

interface Place {
  readonly seats: Seats;
  turnIndex: number;
  lastMessage: number;
}

async function shortRound(parley: Parley, samples: number): Promise<Figures> {
  const count = Math.ceil(samples / SHORT_TURNS);
  const places = await Promise.all(Array.from({ length: count }, () => openHistory(parley, SHORT)));
  return useHistory(parley, places, samples);
}

/** Two turns, and evidence for the rest: a session has room for many more messages than turns. */
async function openHistory(parley: Parley, messages: number): Promise<Place> {
  const place: Place = { seats: await seat(parley), turnIndex: 0, lastMessage: 0 };
  for (let turn = 0; turn < 2; turn += 1) await postTurn(parley, place);
  const agent = parley.agent(tokenAt(place.seats, 0));
  const evidence = [{ kind: 'file' as const, reference: 'src/levels.ts:12', excerpt: 'add(movement)'.repeat(20) }];
  for (let message = 2; message < messages; message += 1)
    place.lastMessage = (await agent.call('post_evidence', { evidence })).message_id;
  return place;
}

async function postTurn(parley: Parley, place: Place): Promise<void> {
  const agent = parley.agent(tokenAt(place.seats, place.turnIndex));
  place.lastMessage = (await agent.call('post_turn', makeTurn())).message_id;
  place.turnIndex += 1;
}

/** Takes turns between the places, one call at a time. */
async function useHistory(parley: Parley, places: readonly Place[], samples: number): Promise<Figures> {
  const posts: number[] = [];
  const states: number[] = [];
  const pages: number[] = [];
  for (let index = 0; index < samples; index += 1) {
    const place = places[index % places.length];
    if (!place) throw new Error('No session was seated.');
    const agent = parley.agent(tokenAt(place.seats, 0));
    posts.push(await timed(() => postTurn(parley, place)));
    states.push(await timed(() => agent.call('read_session_state', {})));
    // As many messages for every length: what is measured is the history before them.
    pages.push(await timed(() => agent.call('read_messages', { after: place.lastMessage - SHORT })));
  }
  return { post_turn: median(posts), read_session_state: median(states), read_messages: median(pages) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
