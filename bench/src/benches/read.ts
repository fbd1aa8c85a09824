import { type Bench, CONNECTIONS } from '../bench.ts';
import { load, openConnection, P95, RATE, type Request } from '../load.ts';
import { runSql } from '../postgres.ts';
import { bearer, type Seats, seatMany, sessionPath } from '../seats.ts';
import { startServer } from '../server-process.ts';

export const read: Bench = {
  name: 'read',
  ours: `GET state on PostgreSQL, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'A Koa handler: one indexed SELECT by pg whose row is the answer, of equal size; no token is looked at.',
  figures: [
    { name: RATE, unit: '/s', target: { atLeast: 1.5 } },
    { name: P95, unit: 'ms', target: { atMost: 1 } },
  ],

  async prepare({ seconds, openDatabase }) {
    const database = await openDatabase();
    const seats = await seatMany(database, CONNECTIONS);
    const parley = await startServer('parley-server', { database });
    const requests = seats.map(stateRequest);
    const size = await answerSize(parley.url, requests[0]);
    await fillFloor(database, size);
    const floor = await startServer('read-floor', { database });
    return {
      floor: () => load({ url: floor.url, seconds, next: (index) => ({ method: 'GET', path: `/${index}` }) }),
      ours: { '': () => load({ url: parley.url, seconds, next: (index) => requestAt(requests, index) }) },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};

const stateRequest = ({ sessionId, tokens: [token] }: Seats): Request => ({
  method: 'GET',
  path: sessionPath(sessionId, 'state'),
  headers: bearer(token),
});

function requestAt(requests: readonly Request[], index: number): Request {
  const request = requests[index];
  if (!request) throw new Error(`Connection ${index} has no session.`);
  return request;
}

async function answerSize(url: string, request: Request | undefined): Promise<number> {
  if (!request) throw new Error('No session was seated.');
  const connection = await openConnection(url);
  const body = await connection.send(request);
  connection.close();
  return body.length;
}

async function fillFloor(database: string, size: number): Promise<void> {
  await runSql(database, 'create table floor_state (id int primary key, body text not null)');
  const fill = 'insert into floor_state select id, $1 from generate_series(0, $2::int - 1) as id';
  const body = JSON.stringify({ state: 'x'.repeat(Math.max(0, size - '{"state":""}'.length)) });
  await runSql(database, fill, [body, CONNECTIONS]);
  await runSql(database, 'analyze floor_state');
}
