import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Figures, ONLY, type Run } from '../bench.ts';
import { type Connection, openConnection } from '../connection.ts';
import { createStream, pollStream } from '../durable-streams.ts';
import { nowMs } from '../monotonic.ts';
import { versionsOf } from '../peer-versions.ts';
import { connectClient, heard } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { bearer, MOST_TURNS, makeTurn, makeTurnText, type Seats, sessionPath, tokenAt } from '../seats.ts';
import { quantile } from '../statistics.ts';

/**
 * Milliseconds from sending the poll to posting the turn. In this time, the service begins to hold the poll, and
 * finishes its work for the previous sample.
 */
const SETTLE_MS = 30;
const [GRAPHILE, DURABLE, FLOOR] = ['graphile-worker', 'durable-streams in memory', 'the floor'] as const;
/** The 99th percentile divided by the median of the same side. */
const SPREAD = 'p99 ÷ p50';

export const wake: Bench = {
  name: 'wake',
  ours: 'post_turn at process A, from sending it until the poll that the other agent holds at process B is answered.',
  peers:
    'graphile-worker: from addJob in one process until its task starts in another, on PostgreSQL, without HTTP. @durable-streams/server: from sending an append until the long-poll that a client holds is answered, in the memory of one process, without a database.',
  floor: 'One NOTIFY on PostgreSQL: the time until another connection receives it, without a commit and without HTTP.',
  figures: [
    { name: 'p50', unit: 'ms', beside: GRAPHILE, ratio: { atMost: 1 } },
    { name: 'p99', unit: 'ms', beside: GRAPHILE },
    { name: SPREAD, unit: '×', beside: GRAPHILE, limit: { atMost: 3 } },
    { name: 'p50', unit: 'ms', beside: DURABLE, limit: { atMost: 3 } },
    { name: 'p99', unit: 'ms', beside: DURABLE },
    { name: 'p50', unit: 'ms', beside: FLOOR, ratio: { atMost: 1.5 } },
    { name: 'p99', unit: 'ms', beside: FLOOR, ratio: { atMost: 3 } },
  ],
  peerVersions: () => versionsOf('graphile-worker', '@durable-streams/server'),

  async prepare(run) {
    const { samples } = run;
    const { url } = await run.startServer('durable-streams-peer', {});
    const [jobs, floor] = [await prepareJobs(run), await prepareFloor(run)];
    const ours = await prepareOurs(run);
    const measured = async (sample: Sample): Promise<Figures> => figuresOf(await sampleOf(samples, sample));
    return {
      floors: {
        [GRAPHILE]: () => measured(jobs),
        [DURABLE]: () => onStream(url)(measured),
        [FLOOR]: () => measured(floor),
      },
      ours: { [ONLY]: () => ours(measured) },
    };
  },
};

/** Takes one sample: the milliseconds from an event until the one who waits for it knows of it. */
type Sample = () => Promise<number>;
/** Opens what a sample needs, measures a round with it, and closes it. */
type WithSample = (use: (sample: Sample) => Promise<Figures>) => Promise<Figures>;

async function prepareOurs({ samples, rounds, openDatabase, startServer }: Run): Promise<WithSample> {
  const database = await openDatabase();
  // The sessions are used one after another, because each session has a limited number of turns. The first round is a
  // warm-up.
  const seated = await seatMany(database, Math.ceil((samples * (rounds + 1)) / MOST_TURNS));
  const servers = await Promise.all(['A', 'B'].map(() => startServer('parley-server', { database })));
  const scene = { seated, turnIndex: 0 };
  return (use) =>
    withConnections(
      servers.map(({ url }) => url),
      (poster, waiter) => use(() => wakeOnce({ scene, poster, waiter })),
    );
}

async function prepareFloor({ openDatabase, defer }: Run): Promise<Sample> {
  const database = await openDatabase();
  const [sender, listener] = await Promise.all([connectClient(database), connectClient(database)]);
  await listener.query('listen floor');
  defer(() => Promise.all([sender.end(), listener.end()]));
  return async () => {
    const arrival = heard(listener);
    await pause(SETTLE_MS);
    const begin = performance.now();
    await Promise.all([arrival, sender.query("notify floor, 'session'")]);
    return performance.now() - begin;
  };
}

async function prepareJobs({ openDatabase, startServer, defer }: Run): Promise<Sample> {
  const { makeWorkerUtils } = await import('graphile-worker');
  const database = await openDatabase();
  const utils = await makeWorkerUtils({ connectionString: database });
  defer(() => utils.release());
  await utils.migrate();
  const worker = await startServer('graphile-worker-peer', { database });
  return async () => {
    const start = worker.ask('started');
    start.catch(() => {});
    await pause(SETTLE_MS);
    const begin = nowMs();
    const [at] = await Promise.all([start, utils.addJob('wake', makeTurn())]);
    return at - begin;
  };
}

const onStream =
  (url: string): WithSample =>
  (use) =>
    withConnections([url, url], async (poster, waiter) => {
      await poster.send(createStream('/wake'));
      return use(() => pollOnce(poster, waiter));
    });

/** Opens connections for one round, because a server closes a connection that is idle for five seconds. */
async function withConnections(
  urls: readonly string[],
  use: (poster: Connection, waiter: Connection) => Promise<Figures>,
): Promise<Figures> {
  const [poster, waiter] = await Promise.all(urls.map(openConnection));
  if (!poster || !waiter) throw new Error('The bench needs two connections.');
  try {
    return await use(poster, waiter);
  } finally {
    poster.close();
    waiter.close();
  }
}

async function pollOnce(poster: Connection, waiter: Connection): Promise<number> {
  const answered = waiter.send(pollStream('/wake')).then((body) => ({ body, at: performance.now() }));
  answered.catch(() => {});
  await pause(SETTLE_MS);
  const begin = performance.now();
  const appending = poster.send({ method: 'POST', path: '/wake', body: makeTurnText() });
  const [{ body, at }] = await Promise.all([answered, appending]);
  if (body.length === 0) throw new Error('The long-poll ended without the message.');
  return at - begin;
}

interface Scene {
  readonly seated: readonly Seats[];
  turnIndex: number;
}

interface Waking {
  readonly scene: Scene;
  readonly poster: Connection;
  readonly waiter: Connection;
}

async function wakeOnce({ scene, poster, waiter }: Waking): Promise<number> {
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

function figuresOf(latencies: readonly number[]): Figures {
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { p50, p99, [SPREAD]: p99 / p50 };
}
