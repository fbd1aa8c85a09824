import { createMemoryStorage, type Parley, type Storage } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { OWNER, openParley, type Seats, seat } from './seats.ts';

/** Makes calls in a session before the session is stored. */
type Story = (parley: Parley, seats: Seats) => Promise<void>;

/**
 * Creates started sessions in a storage. Each session is played in memory and then stored by a single call, so that
 * sessions with thousands of valid events exist within seconds.
 */
export async function seatIn(storage: Storage, count: number, story: Story = async () => {}): Promise<Seats[]> {
  const memory = createMemoryStorage();
  const secret = await storage.secret();
  const parley = await openParley({ ...memory, secret: async () => secret });
  const seated: Seats[] = [];
  for (let index = 0; index < count; index += 1) {
    const seats = await seat(parley);
    await story(parley, seats);
    seated.push(seats);
  }
  await parley.close();
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(seated.slice(from, from + AT_ONCE).map(({ sessionId }) => copy(memory, storage, sessionId)));
  }
  return seated;
}

/** Calls `seatIn` on a database. Closes its connections, so that they do not affect the measurement. */
export async function seatMany(connectionString: string, count: number, story?: Story): Promise<Seats[]> {
  const storage = await createPostgresStorage({ connectionString });
  try {
    return await seatIn(storage, count, story);
  } finally {
    await storage.close();
  }
}

const AT_ONCE = 20;
const EVENTS_PER_READ = 500;

async function copy(from: Storage, to: Storage, sessionId: string): Promise<void> {
  const tail = await from.fetch(sessionId, 0);
  if (!tail) throw new Error('The session was not seated.');
  const events = [...tail.events];
  for (let next = events.length + 1; next <= tail.head.seq; next += EVENTS_PER_READ)
    events.push(...(await from.events(sessionId, next, next + EVENTS_PER_READ - 1)));
  const createdAt = new Date().toISOString();
  const listing = { title: 'Stock levels', status: 'ACTIVE', phase: 'PLANNING', createdAt };
  await to.create({ sessionId, ownerId: OWNER, listing }, events, []);
}
