import type { Owner } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { seatMany } from '../seating.ts';
import { makeTurn, OWNER, openParley, tokenAt } from '../seats.ts';

const SESSIONS = 10_000;
const SESSIONS_IN_A_QUICK_RUN = 1_000;
/** Of every `ONE_RUNS_OF` sessions, one is running. The others have ended. */
const ONE_RUNS_OF = 10;
/** Of every `ONE_WAITS_OF` sessions, one has a question that waits for the owner. */
const ONE_WAITS_OF = 200;
const QUESTION = { text: 'Which port?', to: 'owner' as const, blocking: true };

export const inbox: Bench = {
  name: 'inbox',
  ours: `What waits for the owner of ${SESSIONS.toLocaleString('en')} sessions, read by inbox: nine of ten sessions have ended, and a question waits in one of ${ONE_WAITS_OF}.`,
  floor: 'The same result, from all pages of overview, which folds every session.',
  figures: [
    { name: 'first question', unit: 'ms', ratio: { atMost: 0.1 } },
    { name: 'next question', unit: 'ms', ratio: { atMost: 0.1 } },
  ],

  async prepare({ isQuick, openDatabase }) {
    const count = isQuick ? SESSIONS_IN_A_QUICK_RUN : SESSIONS;
    const database = await openDatabase();
    let seated = 0;
    await seatMany(database, count, async (parley, seats) => {
      const index = seated++;
      if (index % ONE_RUNS_OF > 0) await parley.owner(OWNER).end(seats.sessionId, { end_reason: 'CANCELLED' });
      else if (index % ONE_WAITS_OF === 0)
        await parley.agent(tokenAt(seats, 0)).call('post_turn', { ...makeTurn(), questions: [QUESTION] });
    });
    await asOwner(database, placeAll);
    const expected = count / ONE_WAITS_OF;
    return {
      floors: { [ONLY]: () => askTwice(database, expected, walk) },
      ours: { [ONLY]: () => askTwice(database, expected, askInbox) },
      needsNoWarmUp: true,
    };
  },
};

/** Calls `work` with an owner of a newly opened service, whose caches are empty. */
async function asOwner<T>(database: string, work: (owner: Owner) => Promise<T>): Promise<T> {
  const storage = await createPostgresStorage({ connectionString: database });
  const parley = await openParley(storage);
  try {
    return await work(parley.owner(OWNER));
  } finally {
    await parley.close();
    await storage.close();
  }
}

/**
 * Reads the inbox until the service has stored the inbox place of every session. `seatMany` stores sessions without
 * places.
 */
async function placeAll(owner: Owner): Promise<void> {
  while ((await owner.inbox()).unread > 0);
}

/** Reads the inbox or the overview, and returns the number of sessions in which a question waits. */
type Question = (owner: Owner) => Promise<number>;

const askTwice = (database: string, expected: number, question: Question): Promise<Figures> =>
  asOwner(database, async (owner) => ({
    'first question': await timed(owner, expected, question),
    'next question': await timed(owner, expected, question),
  }));

async function timed(owner: Owner, expected: number, question: Question): Promise<number> {
  const begin = performance.now();
  const waiting = await question(owner);
  const ms = performance.now() - begin;
  if (waiting !== expected) throw new Error(`Something waits in ${waiting} sessions instead of ${expected}.`);
  return ms;
}

async function askInbox(owner: Owner): Promise<number> {
  let waiting = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const page = await owner.inbox({ limit: 100, ...(after !== undefined && { after }) });
    waiting += page.sessions.length;
    after = page.next_after;
  }
  return waiting;
}

async function walk(owner: Owner): Promise<number> {
  let waiting = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const page = await owner.overview({ limit: 100, ...(after !== undefined && { after }) });
    waiting += page.sessions.filter(({ waits }) => waits.length > 0).length;
    after = page.next_after;
  }
  return waiting;
}
