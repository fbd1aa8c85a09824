import type { Bench, Figures, Prepared, Run } from '../bench.ts';
import { type Connection, openConnection, type Request } from '../connection.ts';
import { createStream, pollStream } from '../durable-streams.ts';
import { hasNchan, nchanVersions } from '../nchan.ts';
import { versionsOf } from '../peer-versions.ts';
import { seatMany } from '../seating.ts';
import { bearer, makeTurnText, type Seats, sessionPath, tokenAt } from '../seats.ts';
import type { ServerProcess } from '../server-process.ts';
import { median } from '../statistics.ts';
import { stateBytes } from '../traffic.ts';

const POLLS = 10_000;
const POLLS_IN_A_QUICK_RUN = 2_000;
/** Number of polls that this bench opens for each waiting agent. */
const POLLS_OF_ONE_TOKEN = 8;
/** `OPENING` connections are opened at a time. `POSTING` clients post the turns that end the polls. */
const [OPENING, POSTING] = [100, 32];
/**
 * Number of sessions whose polls are ended one after another, before the polls of all other sessions are ended
 * together.
 */
const SINGLES = 20;
const LOOK_MS = 20;
/**
 * Milliseconds that a poll lasts. All polls must be open before the first poll ends, because the bench measures all of
 * them at once.
 */
const HELD_MS = 25_000;

const [MEMORY, ONE, ALL] = ['memory above the empty server', 'one session woken', 'all answered'] as const;
const [BUSY, BLOCKED] = ['longest block of work', 'longest block by the clock'] as const;
/**
 * Microseconds of processor time from the first connection to the last answer, divided by the number of polls. The time
 * includes the turns that end the polls, and two garbage collections.
 */
const COST = 'processor time for a poll';

const [DURABLE, NCHAN, FLOOR] = ['durable-streams', 'nchan', 'the floor'] as const;

export const polls: Bench = {
  name: 'polls',
  ours: `Polls of the state that one process holds on PostgreSQL, ${POLLS_OF_ONE_TOKEN} for each waiting agent. They are ended by post_turn, first in single sessions, then in all.`,
  peers: `The same polls, ${POLLS_OF_ONE_TOKEN} for each stream. They are ended by a POST with as large a message as our answer. @durable-streams/server: long-polls in one process of Node, streams in its memory. nchan, a module of nginx in C, is the ceiling: long-polls in one worker process, channels in its memory.`,
  floor:
    'A plain node:http server that holds the responses. A POST to a path answers all responses that it holds for that path.',
  figures: [
    { name: MEMORY, unit: 'MB', beside: DURABLE, ratio: { atMost: 1.3 } },
    { name: ALL, unit: 'ms', beside: DURABLE, ratio: { atMost: 1.5 } },
    { name: ONE, unit: 'ms', beside: DURABLE },
    { name: COST, unit: 'µs', beside: DURABLE },
    { name: MEMORY, unit: 'MB', beside: NCHAN },
    { name: ALL, unit: 'ms', beside: NCHAN },
    { name: ONE, unit: 'ms', beside: NCHAN },
    { name: COST, unit: 'µs', beside: NCHAN },
    { name: MEMORY, unit: 'MB', beside: FLOOR, ratio: { atMost: 2 } },
    { name: ONE, unit: 'ms', beside: FLOOR },
    { name: ALL, unit: 'ms', beside: FLOOR, limit: { atMost: 3_000 } },
    { name: BUSY, unit: 'ms', beside: FLOOR, limit: { atMost: 50 } },
    { name: BLOCKED, unit: 'ms', beside: FLOOR },
    { name: COST, unit: 'µs', beside: FLOOR, ratio: { atMost: 4 } },
  ],
  peerVersions: () => [...versionsOf('@durable-streams/server'), ...nchanVersions()],

  async prepare({ isQuick, openDatabase, startServer }) {
    const database = await openDatabase();
    const count = isQuick ? POLLS_IN_A_QUICK_RUN : POLLS;
    const seated = await seatMany(database, count / POLLS_OF_ONE_TOKEN);
    const sizing = await startServer('parley-server', { database });
    const answerBytes = await stateBytes(sizing.url, seated[0]);
    await sizing.stop();
    let turnIndex = 0;
    const ours = async (): Promise<Figures> => {
      const scenes = seated.map((seats) => sceneOf(seats, turnIndex));
      turnIndex += 1;
      return holdAndWake(await startServer('parley-server', { database }), scenes);
    };
    return {
      floors: floorsOf(
        seated.map(({ sessionId }) => `/${sessionId}`),
        { answerBytes, startServer },
      ),
      ours: { [`${count.toLocaleString('en')} polls`]: ours },
      leftOut: hasNchan() ? {} : { [NCHAN]: 'libnginx-mod-nchan is not installed; pnpm bench:setup installs it.' },
      needsNoWarmUp: true,
    };
  },
};

interface Comparison extends Pick<Run, 'startServer'> {
  /** The size of the service's answer. The answers of the others are as large, but for a few bytes. */
  readonly answerBytes: number;
}

function floorsOf(paths: readonly string[], { answerBytes, startServer }: Comparison): Prepared['floors'] {
  const message = JSON.stringify({ state: 'x'.repeat(answerBytes - '{"state":""}'.length) });
  const wakeBy = (body: string, poll: (path: string) => Request): Scene[] =>
    paths.map((path) => ({ poll: poll(path), wake: { method: 'POST', path, body } }));
  const get = (path: string): Request => ({ method: 'GET', path });
  const durable = async (): Promise<Figures> => {
    const server = await startServer('durable-streams-peer', {});
    const connection = await openConnection(server.url);
    for (const path of paths) await connection.send(createStream(path));
    connection.close();
    return holdAndWake(server, wakeBy(message, pollStream));
  };
  const nchan = async () => holdAndWake(await startServer('nchan-peer', {}), wakeBy(message, get));
  const floor = async () => holdAndWake(await startServer('polls-floor', { answerBytes }), wakeBy(makeTurnText(), get));
  return { [DURABLE]: durable, ...(hasNchan() ? { [NCHAN]: nchan } : {}), [FLOOR]: floor };
}

/** The request that polls the state of a session, and the request that ends that poll. */
interface Scene {
  readonly poll: Request;
  readonly wake: Request;
}

function sceneOf(seats: Seats, turnIndex: number): Scene {
  const path = (below: string): string => sessionPath(seats.sessionId, below);
  const body = makeTurnText();
  return {
    poll: { method: 'GET', path: path('state?wait=25'), headers: bearer(tokenAt(seats, turnIndex + 1)) },
    wake: { method: 'POST', path: path('turns'), headers: bearer(tokenAt(seats, turnIndex)), body },
  };
}

/**
 * Runs one round. Each round has its own server process, because a process does not return its memory to the system.
 */
async function holdAndWake(server: ServerProcess, scenes: readonly Scene[]): Promise<Figures> {
  const empty = await server.ask('memory');
  const usedMs = await server.ask('processor');
  const waiting = await holdAll(server, scenes);
  const full = await server.ask('memory');
  const posters = await Promise.all(Array.from({ length: POSTING }, () => openConnection(server.url)));
  await server.ask('watch');

  const singles: number[] = [];
  await expectHeld(server, waiting.length);
  for (const [index, scene] of scenes.slice(0, SINGLES).entries()) {
    const concerned = waiting.slice(index * POLLS_OF_ONE_TOKEN, (index + 1) * POLLS_OF_ONE_TOKEN);
    singles.push(await timed(() => wake(posters, [scene], concerned)));
  }
  const others = waiting.slice(SINGLES * POLLS_OF_ONE_TOKEN);
  await expectHeld(server, others.length);
  const allMs = await timed(() => wake(posters, scenes.slice(SINGLES), others));
  const [busy, blocked] = [await server.ask('busy'), await server.ask('blocked')];
  const costUs = (((await server.ask('processor')) - usedMs) * 1000) / waiting.length;

  for (const { close } of [...posters, ...waiting.map(({ connection }) => connection)]) close();
  await server.stop();
  return {
    [MEMORY]: (full - empty) / 2 ** 20,
    [ONE]: median(singles),
    [ALL]: allMs,
    [BUSY]: busy,
    [BLOCKED]: blocked,
    [COST]: costUs,
  };
}

interface Waiting {
  readonly connection: Connection;
  readonly answered: Promise<Buffer>;
}

async function holdAll(server: ServerProcess, scenes: readonly Scene[]): Promise<Waiting[]> {
  const requests = scenes.flatMap(({ poll }) => Array.from({ length: POLLS_OF_ONE_TOKEN }, () => poll));
  const waiting: Waiting[] = [];
  for (let from = 0; from < requests.length; from += OPENING) {
    const some = requests.slice(from, from + OPENING);
    const connections = await Promise.all(some.map(() => openConnection(server.url)));
    for (const [index, request] of some.entries()) {
      const connection = connections[index];
      if (connection) waiting.push({ connection, answered: expectLater(connection.send(request)) });
    }
  }
  const deadline = performance.now() + HELD_MS;
  while ((await server.ask('held')) < requests.length) {
    if (performance.now() > deadline)
      throw new Error(`Not all of ${requests.length} polls were held at the same time.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return waiting;
}

/**
 * Marks a rejection of the promise as handled. Otherwise a poll that fails before its answer is awaited would end the
 * process.
 */
function expectLater(answered: Promise<Buffer>): Promise<Buffer> {
  answered.catch(() => {});
  return answered;
}

/**
 * Throws if some polls have already ended, because the figures would then be wrong. Each poll ends after 25 seconds.
 */
async function expectHeld(server: ServerProcess, count: number): Promise<void> {
  const held = await server.ask('held');
  if (held !== count)
    throw new Error(`Only ${held} of ${count} polls are held: the others ended before they were woken.`);
}

/**
 * Posts a turn to each session of `scenes`. Each poster sends one request at a time. Resolves when all polls in
 * `waiting` are answered.
 */
async function wake(posters: readonly Connection[], scenes: readonly Scene[], waiting: readonly Waiting[]) {
  const left = [...scenes];
  const posting = posters.map(async (poster) => {
    for (let scene = left.pop(); scene !== undefined; scene = left.pop()) await poster.send(scene.wake);
  });
  await Promise.all([...posting, ...waiting.map(({ answered }) => answered)]);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
