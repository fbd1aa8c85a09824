import { type Bench, CONNECTIONS, type Figures, ONLY, type Run } from '../bench.ts';
import { openConnection } from '../connection.ts';
import { makeFloorTables } from '../floor-tables.ts';
import { COST, load, P95, RATE, warmUpSeconds } from '../load.ts';
import { versionsOf } from '../peer-versions.ts';
import { connectClient, runSql } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import type { ServerProcess } from '../server-process.ts';
import { appendEvents, insertTurns, postTurns } from '../traffic.ts';

const [EMMETT_HTTP, EMMETT, DBOS] = ['emmett over HTTP', 'emmett in process', 'a DBOS step in process'] as const;
const FLOOR = 'the floor';

export const write: Bench = {
  name: 'write',
  ours: `post_turn of about 1 KB over HTTP, durable, ${CONNECTIONS} connections, each with a session of its own.`,
  peers:
    '@event-driven-io/emmett-postgresql: appendToStream of one event with the same data and expectedStreamVersion, behind a Koa handler of two lines, then called in its own process without HTTP; 32 streams. @dbos-inc/dbos-sdk: a step whose result is the same data, in process without HTTP; 32 workflows.',
  floor:
    'A Koa handler that parses the same body, computes one SHA-256 and runs one INSERT by pg. It checks no rules, tokens or order.',
  figures: [
    { name: RATE, unit: '/s', beside: EMMETT_HTTP, ratio: { atLeast: 2 } },
    { name: RATE, unit: '/s', beside: EMMETT, ratio: { atLeast: 2 } },
    { name: RATE, unit: '/s', beside: DBOS },
    { name: P95, unit: 'ms', beside: EMMETT_HTTP },
    { name: P95, unit: 'ms', beside: EMMETT },
    { name: P95, unit: 'ms', beside: DBOS },
    { name: COST, unit: 'µs', beside: EMMETT_HTTP },
    { name: COST, unit: 'µs', beside: EMMETT },
    { name: COST, unit: 'µs', beside: DBOS },
    { name: RATE, unit: '/s', beside: FLOOR, ratio: { atLeast: 1 } },
    { name: P95, unit: 'ms', beside: FLOOR, ratio: { atMost: 1 } },
    { name: COST, unit: 'µs', beside: FLOOR, ratio: { atMost: 1.25 } },
  ],
  peerVersions: () => versionsOf('@event-driven-io/emmett-postgresql', '@dbos-inc/dbos-sdk'),

  async prepare(run) {
    const { seconds, isQuick } = run;
    const sides = { ...(await preparePeers(run)), [FLOOR]: await prepareFloor(run) };
    const ours = await prepareOurs(run);
    for (const side of [...Object.values(sides), ours]) await side(warmUpSeconds({ isQuick }));
    const floors = Object.entries(sides).map(([name, side]) => [name, () => side(seconds)] as const);
    return { floors: Object.fromEntries(floors), ours: { [ONLY]: () => ours(seconds) } };
  },
};

type Side = (seconds: number) => Promise<Figures>;

async function prepareOurs({ rounds, openDatabase, startServer }: Run): Promise<Side> {
  const database = await openDatabase();
  // Every round uses new sessions: the number of turns is limited, and every round must start with the same history.
  const seated = await seatMany(database, CONNECTIONS * (rounds + 2));
  const parley = await startServer('parley-server', { database });
  return (seconds) => load({ servers: [parley], seconds, next: postTurns(seated.splice(0, CONNECTIONS)) });
}

async function prepareFloor({ openDatabase, startServer }: Run): Promise<Side> {
  const database = await openDatabase();
  await makeFloorTables((sql, values) => runSql(database, sql, values), 0);
  const floor = await startServer('floor-server', { database });
  return (seconds) => load({ servers: [floor], seconds, next: insertTurns });
}

async function preparePeers({ openDatabase, startServer }: Run): Promise<Record<string, Side>> {
  const [emmettDatabase, dbosDatabase] = [await openDatabase(), await openDatabase()];
  const [emmett, dbos] = await Promise.all([
    startServer('emmett-peer', { database: emmettDatabase }),
    startServer('dbos-peer', { database: dbosDatabase }),
  ]);
  const sides: Record<string, Side> = {
    [EMMETT_HTTP]: (seconds) => load({ servers: [emmett], seconds, next: appendEvents() }),
    [EMMETT]: (seconds) => loadInside(emmett, seconds),
    [DBOS]: (seconds) => loadInside(dbos, seconds),
  };
  for (const side of Object.values(sides)) await side(0);
  await expectStored(
    emmettDatabase,
    "select count(*) from emt_messages where message_data::text like '%warehouse%'",
    2,
  );
  await expectStored(dbosDatabase, "select count(*) from dbos.operation_outputs where output like '%warehouse%'", 1);
  return sides;
}

/** Runs a load that the server makes on its own library. */
async function loadInside(server: ServerProcess, seconds: number): Promise<Figures> {
  const connection = await openConnection(server.url);
  const figures = await connection.send({ method: 'POST', path: `/in-process/${seconds}` });
  connection.close();
  return JSON.parse(figures.toString());
}

/** Throws if a peer has not stored one event of each client for each of its `loads`. */
async function expectStored(database: string, count: string, loads: number): Promise<void> {
  const client = await connectClient(database);
  const { rows } = await client.query<{ count: string }>(count);
  await client.end();
  if (Number(rows[0]?.count) !== CONNECTIONS * loads) throw new Error('A peer did not store what it accepted.');
}
