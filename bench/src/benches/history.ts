import type { Parley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { seatIn } from '../seating.ts';
import { openParley, type Seats, tokenAt } from '../seats.ts';
import { type Place, placeOf, postTurn, SINGLE_CALLS, useSessions } from '../single-calls.ts';

const SHORT = 10;
const LONG = [1_000, 10_000];
/** Number of samples, of two turns each, that are taken from one short session, so that the session stays short. */
const SHORT_SAMPLES = 5;
const EVIDENCE = [{ kind: 'file' as const, reference: 'src/levels.ts:12', excerpt: 'add(movement)'.repeat(20) }];

export const history: Bench = {
  name: 'history',
  ours: 'Single calls at 1,000 and 10,000 messages, in process on PostgreSQL.',
  floor: `The same calls at ${SHORT} messages, by the same process.`,
  figures: SINGLE_CALLS.map((name) => ({ name, unit: 'ms', ratio: { atMost: 1.1 } })),

  async prepare({ rounds, samples: usual, openDatabase }) {
    const samples = Math.ceil(usual / 2);
    const storage = await createPostgresStorage({ connectionString: await openDatabase() });
    const short = await seatPlaces(storage, SHORT, Math.ceil(samples / SHORT_SAMPLES) * (rounds + 1));
    const long: [string, Place][] = [];
    for (const messages of LONG) {
      const [place] = await seatPlaces(storage, messages, 1);
      if (place) long.push([`${messages.toLocaleString('en')} messages`, place]);
    }
    const parley = await openParley(storage);
    const shortRound = async (): Promise<Figures> => {
      const places = short.splice(0, Math.ceil(samples / SHORT_SAMPLES));
      // The first call on a session folds its log, so it is made before the measurement. For the long sessions, the unmeasured
      // first round does this.
      for (const { seats } of places) await parley.agent(tokenAt(seats, 0)).call('read_session_state', {});
      return useSessions(parley, places, samples);
    };
    return {
      floors: { [ONLY]: shortRound },
      ours: Object.fromEntries(long.map(([name, place]) => [name, () => useSessions(parley, [place], samples)])),
      async close() {
        await parley.close();
        await storage.close();
      },
    };
  },
};

/** Creates sessions with this many messages: two turns, and evidence for the rest, because turns are limited in number. */
async function seatPlaces(storage: Parameters<typeof seatIn>[0], messages: number, count: number): Promise<Place[]> {
  const places = new Map<Seats, Place>();
  const seated = await seatIn(storage, count, async (parley, seats) => {
    places.set(seats, await tell(parley, placeOf(seats), messages));
  });
  return seated.map((seats) => places.get(seats) ?? placeOf(seats));
}

async function tell(parley: Parley, place: Place, messages: number): Promise<Place> {
  for (let turn = 0; turn < 2; turn += 1) await postTurn(parley, place);
  const agent = parley.agent(tokenAt(place.seats, 0));
  for (let message = 2; message < messages; message += 1)
    place.lastMessage = (await agent.call('post_evidence', { evidence: EVIDENCE })).message_id;
  return place;
}
