import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { P95, RATE } from '../load.ts';
import { runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { COST, loadServer, warmUpSeconds } from '../server-load.ts';
import { startServer } from '../server-process.ts';
import { insertTurns, postTurns } from '../traffic.ts';

export const write: Bench = {
  name: 'write',
  ours: `post_turn of about 1 KB over HTTP, durable, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'A Koa handler: parse the same body, one SHA-256, one INSERT by pg; no rule, no token, no order.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 1.3 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'µs' },
  ],

  async prepare({ seconds, rounds, isQuick, openDatabase }) {
    const database = await openDatabase();
    await makeFloorTables((sql, values) => runSql(database, sql, values), 0);
    // Every round gets new sessions: a session has a limited number of turns, and every round must start with the same history.
    const seated = await seatMany(database, CONNECTIONS * (rounds + 2));
    const [parley, floor] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('floor-server', { database }),
    ]);
    const onFloor = (length: number) => loadServer(floor, length, insertTurns);
    const onOurs = (length: number) => loadServer(parley, length, postTurns(seated.splice(0, CONNECTIONS)));
    for (const side of [onFloor, onOurs]) await side(warmUpSeconds({ isQuick }));
    return {
      floors: { [ONLY]: () => onFloor(seconds) },
      ours: { [ONLY]: () => onOurs(seconds) },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};
