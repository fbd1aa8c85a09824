import { type AgentClient, createParley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { connectClient } from '../postgres.ts';
import { RAISED_LIMITS } from '../raised-limits.ts';
import { seatMany } from '../seating.ts';
import { makeTurn, type Seats, tokenAt } from '../seats.ts';
import { median } from '../statistics.ts';

const EVENTS = 10_000;
/** Number of events after the last snapshot: half of the 500 events that lie between two snapshots. */
const SINCE_SNAPSHOT = 250;
const EVIDENCE = [{ kind: 'file' as const, reference: 'src/levels.ts:12', excerpt: 'add(movement)'.repeat(20) }];
const PATIENCE_MS = 30_000;

export const cold: Bench = {
  name: 'cold',
  ours: `The first read_session_state of a session of ${EVENTS.toLocaleString('en')} events, ${SINCE_SNAPSHOT} of them after its snapshot, by a new createParley on a newly opened PostgreSQL storage.`,
  floor: 'The same with snapshots switched off: the whole log is fetched, checked and folded.',
  figures: [
    { name: 'p50', unit: 'ms', limit: { atMost: 20 } },
    { name: 'slowest', unit: 'ms' },
  ],

  async prepare({ samples: usual, openDatabase }) {
    const samples = Math.ceil(usual / 10);
    const database = await openDatabase();
    const [seats] = await seatMany(database, 1, async (parley, { tokens: [token] }) => {
      await parley.agent(token).call('post_turn', makeTurn());
      await postUntil(parley.agent(token), EVENTS - SINCE_SNAPSHOT);
    });
    if (!seats) throw new Error('No session was seated.');
    await keepSnapshot(database, seats);
    return {
      floors: { [ONLY]: () => firstRequests(database, seats, { samples, snapshots: false }) },
      ours: { [ONLY]: () => firstRequests(database, seats, { samples }) },
    };
  },
};

interface Opening {
  readonly samples: number;
  readonly snapshots?: false;
}

async function firstRequests(database: string, seats: Seats, { samples, ...options }: Opening): Promise<Figures> {
  const taken: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const storage = await createPostgresStorage({ connectionString: database });
    const parley = await createParley({ storage, limits: RAISED_LIMITS, sharedLimits: false, ...options });
    const begin = performance.now();
    await parley.agent(tokenAt(seats, 0)).call('read_session_state', {});
    taken.push(performance.now() - begin);
    await parley.close();
    await storage.close();
  }
  return { p50: median(taken), slowest: Math.max(...taken) };
}

/** Posts evidence until the log has `last` events. The message id in an answer is the number of its event. */
async function postUntil(agent: AgentClient, last: number): Promise<void> {
  for (let id = 0; id < last; ) id = (await agent.call('post_evidence', { evidence: EVIDENCE })).message_id;
}

/** Reads the state once, so that a snapshot is saved, and then posts `SINCE_SNAPSHOT` events. */
async function keepSnapshot(database: string, seats: Seats): Promise<void> {
  const storage = await createPostgresStorage({ connectionString: database });
  const parley = await createParley({ storage, limits: RAISED_LIMITS, sharedLimits: false });
  const client = await connectClient(database);
  const deadline = performance.now() + PATIENCE_MS;
  await parley.agent(tokenAt(seats, 0)).call('read_session_state', {});
  for (;;) {
    const { rowCount } = await client.query('select 1 from parley_snapshot where session_id = $1', [seats.sessionId]);
    if (rowCount === 1) break;
    if (performance.now() > deadline) throw new Error('No snapshot was stored.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await client.end();
  await postUntil(parley.agent(tokenAt(seats, 0)), EVENTS);
  await parley.close();
  await storage.close();
}
