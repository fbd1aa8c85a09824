import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Figures, ONLY } from '../bench.ts';
import { type Connection, openConnection } from '../connection.ts';
import { connectClient, heard } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { bearer, MOST_TURNS, makeTurnText, type Seats, sessionPath, tokenAt } from '../seats.ts';
import { quantile } from '../statistics.ts';

/** After a process has sent a hint, it collects further hints for this number of milliseconds. */
const COALESCE_MS = 10;
/**
 * Milliseconds from sending the poll to posting the turn. In this time, the service begins to hold the poll, and
 * finishes its work for the previous sample.
 */
const SETTLE_MS = 30;

export const wake: Bench = {
  name: 'wake',
  ours: 'post_turn at process A, from sending it until the poll that the other agent holds at process B is answered.',
  floor: 'One NOTIFY on PostgreSQL: the time until another connection receives it, without a commit and without HTTP.',
  figures: [
    { name: 'p50', unit: 'ms', ratio: { atMost: 1.5 } },
    { name: 'p99', unit: 'ms', ratio: { atMost: 3 } },
    { name: `p50 with ${COALESCE_MS} ms added to the floor`, unit: 'ms', ratio: { atMost: 1.5 } },
    { name: `p99 with ${COALESCE_MS} ms added to the floor`, unit: 'ms', ratio: { atMost: 3 } },
  ],

  async prepare({ samples, rounds, openDatabase, startServer, defer }) {
    const database = await openDatabase();
    // The sessions are used one after another, because each session has a limited number of turns. The first round is a
    // warm-up.
    const seated = await seatMany(database, Math.ceil((samples * (rounds + 1)) / MOST_TURNS));
    const servers = await Promise.all(['A', 'B'].map(() => startServer('parley-server', { database })));
    const [poster, waiter] = await Promise.all(servers.map(({ url }) => openConnection(url)));
    const [sender, listener] = await Promise.all([connectClient(database), connectClient(database)]);
    if (!poster || !waiter) throw new Error('The bench needs two processes.');
    await listener.query('listen floor');
    defer(() => poster.close());
    defer(() => waiter.close());
    defer(() => Promise.all([sender.end(), listener.end()]));
    const scene: Scene = { seated, poster, waiter, turnIndex: 0 };
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
    };
  },
};

interface Scene {
  readonly seated: readonly Seats[];
  readonly poster: Connection;
  readonly waiter: Connection;
  turnIndex: number;
}

async function wakeOnce(scene: Scene): Promise<number> {
  const { poster, waiter } = scene;
  const seats = scene.seated[Math.floor(scene.turnIndex / MOST_TURNS)];
  if (!seats) throw new Error('No session has turns left.');
  const turnIndex = scene.turnIndex % MOST_TURNS;
  scene.turnIndex += 1;
  const path = (below: string) => sessionPath(seats.sessionId, below);
  const poll = { method: 'GET', path: path('state?wait=25'), headers: bearer(tokenAt(seats, turnIndex + 1)) } as const;
  const turn = { method: 'POST', path: path('turns'), headers: bearer(tokenAt(seats, turnIndex)) } as const;
  let isAnswered = false;
  const answered = waiter.send(poll).then((body) => {
    isAnswered = true;
    return { state: JSON.parse(body.toString()), at: performance.now() };
  });
  // If the poll fails before its result is awaited below, this handler prevents the end of the whole process.
  answered.catch(() => {});
  await pause(SETTLE_MS);
  if (isAnswered) throw new Error('The poll was answered before the turn was posted.');
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
