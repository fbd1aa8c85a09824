// Runs three benches with the programs of `pnpm bench`. Two of the benches fail after they have started servers. Prints
// the data folders of PostgreSQL and the outcomes that would be saved.
import process from 'node:process';
import { ONLY } from '../../dist/bench.js';
import { makeFloorTables } from '../../dist/floor-tables.js';
import { load } from '../../dist/load.js';
import { connectClient } from '../../dist/postgres.js';
import { runBenches } from '../../dist/run-benches.js';
import { seatMany } from '../../dist/seating.js';
import { insertTurns, postTurns } from '../../dist/traffic.js';

const PACE = { rounds: 2, seconds: 1, samples: 1, isQuick: true };
const RATE = { name: 'requests', unit: '/s' };
const bench = (name, prepare) => ({ name, ours: `${name}, ours.`, floor: `${name}, floor.`, figures: [RATE], prepare });

/** Starts the same servers as the bench `write`, and keeps a connection to PostgreSQL. */
async function startAll({ openDatabase, startServer, defer }) {
  const database = await openDatabase();
  const client = await connectClient(database);
  defer(() => client.end());
  await makeFloorTables((sql, values) => client.query(sql, values), 0);
  const seated = await seatMany(database, 32);
  const [parley, floor] = await Promise.all([
    startServer('parley-server', { database }),
    startServer('floor-server', { database }),
  ]);
  const { rows } = await client.query('show data_directory');
  console.log(`data: ${rows[0].data_directory}`);
  return { client, parley, floor, seated };
}

const good = bench('good', async () => {
  const round = async () => ({ requests: 20 });
  return { floors: { [ONLY]: round }, ours: { [ONLY]: round } };
});

/** Fails in its preparation, because the service refuses the requests of the warm-up. */
const refused = bench('refused', async (run) => {
  const { parley, floor, seated } = await startAll(run);
  await load({ servers: [floor], seconds: 0, next: insertTurns });
  const next = postTurns(seated.map((seats) => ({ ...seats, tokens: ['prt_unknown', 'prt_unknown'] })));
  await load({ servers: [parley], seconds: 5, next });
});

/**
 * Fails in a round. PostgreSQL ends all connections, and `floor-server` exits with the error that its pool emits.
 */
const cut = bench('cut', async (run) => {
  const { client, parley, floor, seated } = await startAll(run);
  const floorRound = async () => {
    // Makes `floor-server` open the connections of its pool.
    await load({ servers: [floor], seconds: 0, next: insertTurns });
    const loaded = load({ servers: [floor], seconds: 600, next: insertTurns });
    loaded.catch(() => {});
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return loaded;
  };
  return {
    floors: { [ONLY]: floorRound },
    ours: { [ONLY]: () => load({ servers: [parley], seconds: 0, next: postTurns(seated) }) },
  };
});

const save = ({ bench: { name }, measured, failed }) => console.log(`saved: ${name}, ${measured.length}, ${failed}`);
process.exit(await runBenches([good, refused, cut, good], PACE, save));
