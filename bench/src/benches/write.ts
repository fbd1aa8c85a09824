import { type Bench, CONNECTIONS, type Figures } from '../bench.ts';
import { load, P95, RATE } from '../load.ts';
import { runSql } from '../postgres.ts';
import { bearer, makeTurn, type Seats, seatMany, sessionPath, tokenAt } from '../seats.ts';
import { startServer } from '../server-process.ts';

const FLOOR_TABLE =
  'create table floor_turn (id bigint generated always as identity primary key, session_id text not null, hash text not null, body text not null)';

export const write: Bench = {
  name: 'write',
  ours: `post_turn of about 1 KB over HTTP, durable, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'A Koa handler: parse the same body, one SHA-256, one INSERT by pg; no rule, no token, no order.',
  figures: [
    { name: RATE, unit: '/s', target: { atLeast: 1.3 } },
    { name: P95, unit: 'ms', target: { atMost: 1 } },
  ],

  async prepare({ seconds, rounds, openDatabase }) {
    const database = await openDatabase();
    await runSql(database, FLOOR_TABLE);
    // New sessions for each round: a session ends after so many turns, and no round finds a longer history than others.
    const seats = await seatMany(database, CONNECTIONS * (rounds + 1));
    const [parley, floor] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('write-floor', { database }),
    ]);
    return {
      floor: () => load({ url: floor.url, seconds, next: floorRequest }),
      ours: { '': () => postTurns(parley.url, seconds, seats.splice(0, CONNECTIONS)) },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};

const floorRequest = (index: number) =>
  ({ method: 'POST', path: `/session-${index}`, body: JSON.stringify(makeTurn()) }) as const;

function postTurns(url: string, seconds: number, seats: readonly Seats[]): Promise<Figures> {
  const posted = seats.map(() => 0);
  return load({
    url,
    seconds,
    next(index) {
      const [seat, turnIndex] = [seats[index], posted[index] ?? 0];
      if (!seat) throw new Error(`Connection ${index} has no session.`);
      posted[index] = turnIndex + 1;
      const path = sessionPath(seat.sessionId, 'turns');
      return { method: 'POST', path, headers: bearer(tokenAt(seat, turnIndex)), body: JSON.stringify(makeTurn()) };
    },
  });
}
