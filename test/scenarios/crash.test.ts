import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Cut, ServerOptions } from './crash/server-options.ts';
import { type ServerProcess, startServer } from './crash/server-process.ts';
import { postUntilCut, speakerAt, type TurnStream, turnAt } from './crash/turn-stream.ts';
import { restAgent } from './support/doors.ts';
import { readTranscript } from './support/readings.ts';
import { newFolder, openDatabase, openFolder, type Store } from './support/stores.ts';
import { gatherIn, openWorld } from './support/world.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const STREAMS = 6;
const MOMENTS: readonly Cut['moment'][] = ['while storing', 'before answering'];

interface Data {
  readonly store: Store;
  readonly place: ServerOptions['place'];
}

async function embedded(): Promise<Data> {
  const folder = await newFolder();
  return { store: openFolder(folder), place: { folder: join(folder, 'pg') } };
}

async function onServer(url: string): Promise<Data> {
  const store = await openDatabase(url);
  return { store, place: { databaseUrl: store.url } };
}

const url = inject('databaseUrl');
const kinds: [string, () => Promise<Data>][] = [
  ['PGlite', embedded],
  ...(url === null ? [] : [['PostgreSQL', () => onServer(url)] satisfies [string, () => Promise<Data>]]),
];

describe.each(kinds)('a server killed in a stream of turns, on %s', (_name, prepare) => {
  let data: Data;
  beforeAll(async () => {
    data = await prepare();
  });
  afterAll(() => data.store.remove());

  test(`keeps every acknowledged turn whole over ${ROUNDS} kills`, async () => {
    const streams = await openStreams(data.store);
    for (let round = 0; round < ROUNDS; round += 1) await runUntilKilled(data.place, streams, round);

    const server = await startServer({ place: data.place });
    for (const stream of streams) await expectWhole(server, stream);
    server.kill();
    await server.gone;
    expect(await verifyLogs(data.store, streams)).toEqual(streams.map(() => true));
  });
});

async function openStreams(store: Store): Promise<TurnStream[]> {
  const world = await openWorld(store, 'in process');
  const streams: TurnStream[] = [];
  for (let count = 0; count < STREAMS; count += 1) {
    const { passes } = await gatherIn(world);
    streams.push({ passes, acknowledged: [] });
  }
  await world.close();
  return streams;
}

/**
 * Posts turns until the server is killed. Each round kills the server at a different append, while the append is stored
 * or before it is answered.
 */
async function runUntilKilled(
  place: ServerOptions['place'],
  streams: readonly TurnStream[],
  round: number,
): Promise<void> {
  const cut = { append: 25 + ((7 * round) % 18), moment: MOMENTS[round % 2] ?? 'while storing' };
  const server = await startServer({ place, cut });
  await Promise.all(streams.map((stream) => postUntilCut(stream, server.baseUrl)));
  await server.gone;
}

/**
 * Checks that every acknowledged turn is stored completely, and at most one further turn, which was in flight at the
 * last kill.
 */
async function expectWhole({ baseUrl }: ServerProcess, { passes, acknowledged }: TurnStream): Promise<void> {
  const agents = { agent_a: restAgent(baseUrl, passes.agent_a), agent_b: restAgent(baseUrl, passes.agent_b) };
  const turns = (await readTranscript(agents.agent_a)).filter(({ kind }) => kind === 'turn.posted');
  expect([acknowledged.length, acknowledged.length + 1]).toContain(turns.length);
  expect(turns.map(({ body }) => Object(body).turn_index)).toEqual(turns.map((_, index) => index));
  expect(turns.map(({ from }) => from)).toEqual(turns.map((_, index) => speakerAt(index)));

  const { decisions } = await agents.agent_a('list_decisions', {});
  expect(topicsOf(decisions)).toEqual(turns.map((_, index) => `Topic of turn ${index}`));
  const asked = await Promise.all([agents.agent_a, agents.agent_b].map((agent) => agent('read_session_state', {})));
  expect(asked.flatMap(({ open_questions }) => textsOf(open_questions)).toSorted()).toEqual(
    turns.map((_, index) => `Question of turn ${index}?`).toSorted(),
  );

  for (const [index, answer] of acknowledged.entries()) {
    expect(JSON.stringify(await agents[speakerAt(index)]('post_turn', turnAt(index)))).toBe(answer);
  }
}

async function verifyLogs(store: Store, streams: readonly TurnStream[]): Promise<boolean[]> {
  const world = await openWorld(store, 'in process');
  const reports = await Promise.all(streams.map(({ passes }) => world.owner.verifyLog(passes.agent_a.session_id)));
  await world.close();
  return reports.map(({ ok }) => ok);
}

const topicsOf = (decisions: unknown): unknown[] => listOf(decisions).map(({ topic }) => topic);
const textsOf = (questions: unknown): unknown[] => listOf(questions).map(({ text }) => text);
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);
