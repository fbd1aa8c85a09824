import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { COST, load, P95, RATE, warmUpSeconds } from '../load.ts';
import { runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { readRows, readStates, stateBytes } from '../traffic.ts';

export const read: Bench = {
  name: 'read',
  ours: `GET state on PostgreSQL, ${CONNECTIONS} connections, each with a session of its own.`,
  floor:
    'A Koa handler: one indexed SELECT by pg. Its row is the answer, which has the same size; tokens are not checked.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 1.5 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'µs', ratio: { atMost: 1 } },
  ],

  async prepare({ seconds, isQuick, openDatabase, startServer }) {
    const database = await openDatabase();
    const seated = await seatMany(database, CONNECTIONS);
    const parley = await startServer('parley-server', { database });
    const bytes = await stateBytes(parley.url, seated[0]);
    await makeFloorTables((sql, values) => runSql(database, sql, values), bytes);
    const floor = await startServer('floor-server', { database });
    const onFloor = (length: number) => load({ servers: [floor], seconds: length, next: readRows() });
    const onOurs = (length: number) => load({ servers: [parley], seconds: length, next: readStates(seated) });
    for (const side of [onFloor, onOurs]) await side(warmUpSeconds({ isQuick }));
    return {
      floors: { [ONLY]: () => onFloor(seconds) },
      ours: { [ONLY]: () => onOurs(seconds) },
    };
  },
};
