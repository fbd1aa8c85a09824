import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStorage } from '@parley/core';
import { createPgliteStorage } from '@parley/storage-pg';
import { type Bench, CONNECTIONS, type Figures, ONLY } from '../bench.ts';
import { COST, type Load, load, ofKind, P95, RATE } from '../load.ts';
import { seatIn } from '../seating.ts';
import { openParley, type Seats, seat } from '../seats.ts';
import type { ServerProcess } from '../server-process.ts';
import { insertTurns, postTurns, readRows, readStates, stateBytes } from '../traffic.ts';

const FOLDER_PREFIX = 'parley-bench-';

export const embedded: Bench = {
  name: 'embedded',
  ours: `GET state, then post_turn of about 1 KB, on PGlite in a durable folder, ${CONNECTIONS} connections.`,
  floor:
    'The Koa handlers of the benches read and write, on their own durable PGlite, with one statement for each request.',
  figures: [
    { name: ofKind(RATE, 'read'), unit: '/s', ratio: { atLeast: 1.5 } },
    { name: ofKind(P95, 'read'), unit: 'ms', ratio: { atMost: 1 } },
    { name: ofKind(RATE, 'write'), unit: '/s', ratio: { atLeast: 1.5 } },
    { name: ofKind(P95, 'write'), unit: 'ms', ratio: { atMost: 1 } },
    { name: ofKind(COST, 'read'), unit: 'µs', ratio: { atMost: 0.67 } },
    { name: ofKind(COST, 'write'), unit: 'µs', ratio: { atMost: 0.67 } },
  ],

  async prepare({ seconds, rounds, startServer, defer }) {
    const place = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
    defer(() => rmSync(place, { recursive: true, force: true }));
    const [folder, floorFolder] = [join(place, 'ours'), join(place, 'floor')];
    const answerBytes = await expectedBytes();
    const [seated, floor] = await Promise.all([
      seatInFolder(folder, CONNECTIONS * (rounds + 2)),
      startServer('floor-server', { folder: floorFolder, answerBytes }),
    ]);
    const readers = seated.splice(0, CONNECTIONS);
    const parley = await startServer('parley-server', { folder });
    if ((await stateBytes(parley.url, readers[0])) !== answerBytes) throw new Error('The answers are of unequal size.');
    const use = (server: ServerProcess, next: Pair) => readThenWrite({ servers: [server], seconds }, next);
    return {
      floors: { [ONLY]: () => use(floor, { read: readRows(), write: insertTurns }) },
      ours: {
        [ONLY]: () => use(parley, { read: readStates(readers), write: postTurns(seated.splice(0, CONNECTIONS)) }),
      },
    };
  },
};

interface Pair {
  readonly read: Load['next'];
  readonly write: Load['next'];
}

async function readThenWrite(work: Omit<Load, 'next'>, next: Pair): Promise<Figures> {
  const [read, write] = [await load({ ...work, next: next.read }), await load({ ...work, next: next.write })];
  return { ...renamed(read, 'read'), ...renamed(write, 'write') };
}

const renamed = (figures: Figures, kind: string): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [ofKind(name, kind), value]));

/**
 * Returns the size of the service's answer in bytes. The answers of the floor get the same size. Memory storage is
 * used, because the floor needs the size before its database exists.
 */
async function expectedBytes(): Promise<number> {
  const parley = await openParley(createMemoryStorage());
  const { tokens } = await seat(parley);
  const state = await parley.agent(tokens[0]).call('read_session_state', {});
  await parley.close();
  return Buffer.byteLength(JSON.stringify(state));
}

async function seatInFolder(folder: string, count: number): Promise<Seats[]> {
  const storage = await createPgliteStorage({ folder });
  try {
    return await seatIn(storage, count);
  } finally {
    await storage.close();
  }
}
