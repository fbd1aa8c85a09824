import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { load, P95, RATE } from '../load.ts';
import { runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { startServer } from '../server-process.ts';
import { insertTurns, postTurns } from '../traffic.ts';

export const write: Bench = {
  name: 'write',
  ours: `post_turn of about 1 KB over HTTP, durable, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'A Koa handler: parse the same body, one SHA-256, one INSERT by pg; no rule, no token, no order.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 1.3 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
  ],

  async prepare({ seconds, rounds, openDatabase }) {
    const database = await openDatabase();
    await makeFloorTables((sql, values) => runSql(database, sql, values), 0);
    // New sessions for each round: a session ends after so many turns, and no round finds a longer history than others.
    const seated = await seatMany(database, CONNECTIONS * (rounds + 1));
    const [parley, floor] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('floor-server', { database }),
    ]);
    const ours = () => load({ urls: [parley.url], seconds, next: postTurns(seated.splice(0, CONNECTIONS)) });
    return {
      floors: { [ONLY]: () => load({ urls: [floor.url], seconds, next: insertTurns }) },
      ours: { [ONLY]: ours },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};
