import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { COST, load, P95, RATE, warmUpSeconds } from '../load.ts';
import { runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { insertTurns, postTurns } from '../traffic.ts';

export const write: Bench = {
  name: 'write',
  ours: `post_turn of about 1 KB over HTTP, durable, ${CONNECTIONS} connections, each with a session of its own.`,
  floor:
    'A Koa handler that parses the same body, computes one SHA-256 and runs one INSERT by pg. It checks no rules, tokens or order.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 1 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'µs', ratio: { atMost: 1.25 } },
  ],

  async prepare({ seconds, rounds, isQuick, openDatabase, startServer }) {
    const database = await openDatabase();
    await makeFloorTables((sql, values) => runSql(database, sql, values), 0);
    // Every round uses new sessions: the number of turns is limited, and every round must start with the same history.
    const seated = await seatMany(database, CONNECTIONS * (rounds + 2));
    const [parley, floor] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('floor-server', { database }),
    ]);
    const onFloor = (length: number) => load({ servers: [floor], seconds: length, next: insertTurns });
    const onOurs = (length: number) =>
      load({ servers: [parley], seconds: length, next: postTurns(seated.splice(0, CONNECTIONS)) });
    for (const side of [onFloor, onOurs]) await side(warmUpSeconds({ isQuick }));
    return {
      floors: { [ONLY]: () => onFloor(seconds) },
      ours: { [ONLY]: () => onOurs(seconds) },
    };
  },
};
