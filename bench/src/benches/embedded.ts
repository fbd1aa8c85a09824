import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStorage } from '@parley/core';
import { createPgliteStorage } from '@parley/storage-pg';
import { type Bench, CONNECTIONS, type Figures, ONLY } from '../bench.ts';
import { type Load, load, P95, RATE } from '../load.ts';
import { seatIn } from '../seating.ts';
import { openParley, type Seats, seat } from '../seats.ts';
import { startServer } from '../server-process.ts';
import { insertTurns, postTurns, readRows, readStates, stateBytes } from '../traffic.ts';

const FOLDER_PREFIX = 'parley-bench-';

export const embedded: Bench = {
  name: 'embedded',
  ours: `GET state, then post_turn of about 1 KB, on PGlite in a durable folder, ${CONNECTIONS} connections.`,
  floor: 'The Koa handlers of read and write on a durable PGlite of their own, one statement for each request.',
  figures: [
    { name: `${RATE}, read`, unit: '/s', ratio: { atLeast: 1.5 } },
    { name: `${P95}, read`, unit: 'ms', ratio: { atMost: 1 } },
    { name: `${RATE}, write`, unit: '/s', ratio: { atLeast: 1.5 } },
    { name: `${P95}, write`, unit: 'ms', ratio: { atMost: 1 } },
  ],

  async prepare({ seconds, rounds }) {
    const place = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
    process.once('exit', () => rmSync(place, { recursive: true, force: true }));
    const [folder, floorFolder] = [join(place, 'ours'), join(place, 'floor')];
    const answerBytes = await expectedBytes();
    const [seated, floor] = await Promise.all([
      seatInFolder(folder, CONNECTIONS * (rounds + 2)),
      startServer('floor-server', { folder: floorFolder, answerBytes }),
    ]);
    const readers = seated.splice(0, CONNECTIONS);
    const parley = await startServer('parley-server', { folder });
    if ((await stateBytes(parley.url, readers[0])) !== answerBytes) throw new Error('The answers are of unequal size.');
    const use = (url: string, next: Pair): Promise<Figures> => readThenWrite({ urls: [url], seconds }, next);
    return {
      floors: { [ONLY]: () => use(floor.url, { read: readRows(), write: insertTurns }) },
      ours: {
        [ONLY]: () => use(parley.url, { read: readStates(readers), write: postTurns(seated.splice(0, CONNECTIONS)) }),
      },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};

interface Pair {
  readonly read: Load['next'];
  readonly write: Load['next'];
}

async function readThenWrite(work: Omit<Load, 'next'>, next: Pair): Promise<Figures> {
  const [read, write] = [await load({ ...work, next: next.read }), await load({ ...work, next: next.write })];
  return {
    [`${RATE}, read`]: read[RATE] ?? Number.NaN,
    [`${P95}, read`]: read[P95] ?? Number.NaN,
    [`${RATE}, write`]: write[RATE] ?? Number.NaN,
    [`${P95}, write`]: write[P95] ?? Number.NaN,
  };
}

/**
 * Bytes of an answer of the service; the floor's answers get the same length. Measured on a storage in memory, because the
 * length is needed before the floor creates its database.
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
