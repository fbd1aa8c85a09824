import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { P95, RATE } from '../load.ts';
import { runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { COST, loadServer, warmUpSeconds } from '../server-load.ts';
import { startServer } from '../server-process.ts';
import { readRows, readStates, stateBytes } from '../traffic.ts';

export const read: Bench = {
  name: 'read',
  ours: `GET state on PostgreSQL, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'A Koa handler: one indexed SELECT by pg whose row is the answer, of equal size; no token is looked at.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 1.5 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'µs' },
  ],

  async prepare({ seconds, isQuick, openDatabase }) {
    const database = await openDatabase();
    const seated = await seatMany(database, CONNECTIONS);
    const parley = await startServer('parley-server', { database });
    const bytes = await stateBytes(parley.url, seated[0]);
    await makeFloorTables((sql, values) => runSql(database, sql, values), bytes);
    const floor = await startServer('floor-server', { database });
    const onFloor = (length: number) => loadServer(floor, length, readRows());
    const onOurs = (length: number) => loadServer(parley, length, readStates(seated));
    for (const side of [onFloor, onOurs]) await side(warmUpSeconds({ isQuick }));
    return {
      floors: { [ONLY]: () => onFloor(seconds) },
      ours: { [ONLY]: () => onOurs(seconds) },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};
