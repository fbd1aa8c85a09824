import type { Parley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { type Bench, type Figures, ONLY, type Run } from '../bench.ts';
import { runSql } from '../postgres.ts';
import { seatIn } from '../seating.ts';
import { openParley } from '../seats.ts';
import { type Place, placeOf, SINGLE_CALLS, useSessions } from '../single-calls.ts';

const FEW = 10;
const MANY = [10_000, 100_000];
const MANY_IN_A_QUICK_RUN = [1_000, 10_000];

export const sessions: Bench = {
  name: 'sessions',
  ours: `Single calls to ${FEW} of many stored sessions, in process on PostgreSQL.`,
  floor: `The same calls in a database that contains only these ${FEW} sessions.`,
  figures: SINGLE_CALLS.map((name) => ({ name, unit: 'ms', ratio: { atMost: 1.2 } })),

  async prepare({ samples: usual, isQuick, openDatabase, defer }) {
    const samples = Math.ceil(usual / 2);
    const open = async (count: number): Promise<Store> => openStore(await openDatabase(), count, defer);
    const few = await open(FEW);
    const many: [string, Store][] = [];
    for (const count of isQuick ? MANY_IN_A_QUICK_RUN : MANY)
      many.push([`${count.toLocaleString('en')} sessions`, await open(count)]);
    const roundOf = (store: Store) => (): Promise<Figures> => useSessions(store.parley, store.places, samples);
    return {
      floors: { [ONLY]: roundOf(few) },
      ours: Object.fromEntries(many.map(([name, store]) => [name, roundOf(store)])),
    };
  },
};

interface Store {
  readonly parley: Parley;
  readonly places: readonly Place[];
}

async function openStore(connectionString: string, count: number, defer: Run['defer']): Promise<Store> {
  const storage = await createPostgresStorage({ connectionString });
  defer(() => storage.close());
  const places = (await seatIn(storage, FEW)).map(placeOf);
  await fill(connectionString, count - FEW);
  const parley = await openParley(storage);
  defer(() => parley.close());
  return { parley, places };
}

/**
 * Copies the rows of the real sessions under new ids. The bench never reads the copies, because the hashes in a log are
 * valid only under the id of its own session.
 */
async function fill(database: string, count: number): Promise<void> {
  await runSql(database, `create table copy as ${COPIES}`, [count, FEW]);
  await runSql(database, COPY_SESSIONS);
  await runSql(database, COPY_EVENTS);
  await runSql(database, 'drop table copy');
  await runSql(database, 'vacuum analyze');
  await runSql(database, 'checkpoint');
}

const COPIES = `
  select real.session_id as real_id, left(md5(n::text), 22) as session_id
  from generate_series(1, $1::int) as n
  join (select session_id, row_number() over () as place from parley_session) as real
    on real.place = n % $2::int + 1`;

const COPY_SESSIONS = `
  insert into parley_session (session_id, owner_id, title, status, phase, created_at, seq, hash)
  select c.session_id, s.owner_id, s.title, s.status, s.phase, s.created_at, s.seq, s.hash
  from copy c join parley_session s on s.session_id = c.real_id`;

const COPY_EVENTS = `
  insert into parley_event (session_id, seq, hash, body)
  select c.session_id, e.seq, e.hash, replace(e.body, c.real_id, c.session_id)
  from copy c join parley_event e on e.session_id = c.real_id
  order by c.session_id, e.seq`;
