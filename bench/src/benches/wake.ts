import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { type Connection, openConnection } from '../connection.ts';
import { connectClient, heard } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { bearer, makeTurnText, type Seats, sessionPath, tokenAt } from '../seats.ts';
import { startServer } from '../server-process.ts';
import { quantile } from '../statistics.ts';

/** Milliseconds for which a process collects hints after it has sent some. */
const COALESCE_MS = 10;
/** Milliseconds until a waiter is surely held and the work of the previous sample has ended. */
const SETTLE_MS = 30;

export const wake: Bench = {
  name: 'wake',
  ours: 'post_turn at process A, from sending it until the poll that the other agent holds at process B is answered.',
  floor: 'One NOTIFY sent to PostgreSQL, until another connection that listens has it; no commit, no HTTP.',
  figures: [
    { name: 'p50', unit: 'ms', ratio: { atMost: 1.5 } },
    { name: 'p99', unit: 'ms', ratio: { atMost: 3 } },
    { name: `p50 with ${COALESCE_MS} ms added to the floor`, unit: 'ms', ratio: { atMost: 1.5 } },
    { name: `p99 with ${COALESCE_MS} ms added to the floor`, unit: 'ms', ratio: { atMost: 3 } },
  ],

  async prepare({ samples, openDatabase }) {
    const database = await openDatabase();
    const [seats] = await seatMany(database, 1);
    if (!seats) throw new Error('The bench could not open a session with two agents.');
    const servers = await Promise.all(['A', 'B'].map(() => startServer('parley-server', { database })));
    const [poster, waiter] = await Promise.all(servers.map(({ url }) => openConnection(url)));
    const [sender, listener] = await Promise.all([connectClient(database), connectClient(database)]);
    if (!poster || !waiter) throw new Error('Two processes were wanted.');
    await listener.query('listen floor');
    const scene: Scene = { seats, poster, waiter, turnIndex: 0 };
    return {
      floors: {
        [ONLY]: async () => {
          const latencies = await sampleOf(samples, async () => {
            const arrival = heard(listener);
            await pause(SETTLE_MS);
            const begin = performance.now();
            await Promise.all([arrival, sender.query("notify floor, 'session'")]);
            return performance.now() - begin;
          });
          return figuresOf(latencies, COALESCE_MS);
        },
      },
      ours: { [ONLY]: async () => figuresOf(await sampleOf(samples, () => wakeOnce(scene)), 0) },
      async close() {
        poster.close();
        waiter.close();
        await Promise.all([sender.end(), listener.end(), ...servers.map((server) => server.stop())]);
      },
    };
  },
};

interface Scene {
  readonly seats: Seats;
  readonly poster: Connection;
  readonly waiter: Connection;
  turnIndex: number;
}

async function wakeOnce(scene: Scene): Promise<number> {
  const { seats, poster, waiter, turnIndex } = scene;
  scene.turnIndex += 1;
  const path = (below: string) => sessionPath(seats.sessionId, below);
  const poll = { method: 'GET', path: path('state?wait=25'), headers: bearer(tokenAt(seats, turnIndex + 1)) } as const;
  const turn = { method: 'POST', path: path('turns'), headers: bearer(tokenAt(seats, turnIndex)) } as const;
  let isAnswered = false;
  const answered = waiter.send(poll).then((body) => {
    isAnswered = true;
    return { state: JSON.parse(body.toString()), at: performance.now() };
  });
  await pause(SETTLE_MS);
  if (isAnswered) throw new Error('The poll was answered before there was news.');
  const begin = performance.now();
  const [{ state, at }] = await Promise.all([answered, poster.send({ ...turn, body: makeTurnText() })]);
  if (state.your_turn !== true) throw new Error('The poll ended without the turn.');
  return at - begin;
}

async function sampleOf(count: number, once: () => Promise<number>): Promise<number[]> {
  const latencies: number[] = [];
  for (let index = 0; index < count; index += 1) latencies.push(await once());
  return latencies;
}

function figuresOf(latencies: readonly number[], addedMs: number): Figures {
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  const suffix = `with ${COALESCE_MS} ms added to the floor`;
  return { p50, p99, [`p50 ${suffix}`]: p50 + addedMs, [`p99 ${suffix}`]: p99 + addedMs };
}
