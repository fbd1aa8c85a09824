import type { Parley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { seatIn } from '../seating.ts';
import { MOST_TURNS, openParley, type Seats, tokenAt } from '../seats.ts';
import { type Place, placeOf, postTurn, SINGLE_CALLS, useSessions } from '../single-calls.ts';

const SHORT = 10;
const LONG = [1_000, 10_000];
/** Number of samples in each short session. A sample takes two turns, so a low number keeps the session short. */
const SHORT_SAMPLES = 5;
/** Number of turns in a prepared session. All its other messages are evidence. */
const TURNS_TOLD = 2;
const EVIDENCE = [{ kind: 'file' as const, reference: 'src/levels.ts:12', excerpt: 'add(movement)'.repeat(20) }];

export const history: Bench = {
  name: 'history',
  ours: 'Single calls at 1,000 and 10,000 messages, in process on PostgreSQL.',
  floor: `The same calls at ${SHORT} messages, by the same process.`,
  figures: SINGLE_CALLS.map((name) => ({ name, unit: 'ms', ratio: { atMost: 1.1 } })),

  async prepare({ rounds, samples: usual, openDatabase, defer }) {
    const samples = Math.ceil(usual / 2);
    const storage = await createPostgresStorage({ connectionString: await openDatabase() });
    defer(() => storage.close());
    const short = await seatPlaces(storage, SHORT, Math.ceil(samples / SHORT_SAMPLES) * (rounds + 1));
    const roundsOfASession = Math.floor((MOST_TURNS - TURNS_TOLD) / (2 * samples));
    const long: [string, readonly Place[]][] = [];
    for (const messages of LONG) {
      const places = await seatPlaces(storage, messages, Math.ceil((rounds + 1) / roundsOfASession));
      long.push([`${messages.toLocaleString('en')} messages`, places]);
    }
    const parley = await openParley(storage);
    defer(() => parley.close());
    const use = async (places: readonly Place[]): Promise<Figures> => {
      // The first call to a session folds its log, so the call is made before the measurement.
      for (const { seats } of places) await parley.agent(tokenAt(seats, 0)).call('read_session_state', {});
      return useSessions(parley, places, samples);
    };
    const longRound = (places: readonly Place[]) => {
      let played = 0;
      return (): Promise<Figures> => {
        const index = Math.floor(played / roundsOfASession);
        played += 1;
        return use(places.slice(index, index + 1));
      };
    };
    return {
      floors: { [ONLY]: () => use(short.splice(0, Math.ceil(samples / SHORT_SAMPLES))) },
      ours: Object.fromEntries(long.map(([name, places]) => [name, longRound(places)])),
    };
  },
};

/**
 * Creates sessions with `messages` messages each. Two of the messages are turns. The others are evidence, because a
 * session has a limited number of turns.
 */
async function seatPlaces(storage: Parameters<typeof seatIn>[0], messages: number, count: number): Promise<Place[]> {
  const places = new Map<Seats, Place>();
  const seated = await seatIn(storage, count, async (parley, seats) => {
    places.set(seats, await tell(parley, placeOf(seats), messages));
  });
  return seated.map((seats) => places.get(seats) ?? placeOf(seats));
}

async function tell(parley: Parley, place: Place, messages: number): Promise<Place> {
  for (let turn = 0; turn < TURNS_TOLD; turn += 1) await postTurn(parley, place);
  const agent = parley.agent(tokenAt(place.seats, 0));
  for (let message = TURNS_TOLD; message < messages; message += 1)
    place.lastMessage = (await agent.call('post_evidence', { evidence: EVIDENCE })).message_id;
  return place;
}
