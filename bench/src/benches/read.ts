import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { load, P95, RATE } from '../load.ts';
import { runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { startServer } from '../server-process.ts';
import { readRows, readStates, stateBytes } from '../traffic.ts';

export const read: Bench = {
  name: 'read',
  ours: `GET state on PostgreSQL, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'A Koa handler: one indexed SELECT by pg whose row is the answer, of equal size; no token is looked at.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 1.5 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
  ],

  async prepare({ seconds, openDatabase }) {
    const database = await openDatabase();
    const seated = await seatMany(database, CONNECTIONS);
    const parley = await startServer('parley-server', { database });
    const bytes = await stateBytes(parley.url, seated[0]);
    await makeFloorTables((sql, values) => runSql(database, sql, values), bytes);
    const floor = await startServer('floor-server', { database });
    return {
      floors: { [ONLY]: () => load({ urls: [floor.url], seconds, next: readRows() }) },
      ours: { [ONLY]: () => load({ urls: [parley.url], seconds, next: readStates(seated) }) },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};
