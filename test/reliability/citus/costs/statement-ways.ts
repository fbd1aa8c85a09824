import type { Head } from '@parley/core';
import { Client, type QueryResult } from 'pg';
import { eventAfter, GENESIS, newId } from '../../../../packages/storage-pg/test/samples.ts';
import { runOn } from '../../../../scripts/servers/citus-cluster.ts';
import type { OpenWays } from './rounds.ts';
import type { Side } from './side.ts';
import { TEXT } from './storage-ways.ts';

/** Number of connections: as many as the storage uses for appends, or for fetches, with its default pool. */
const CONNECTIONS = 4;

/** A connection in pipeline mode, and sessions of one shard. */
interface Seat {
  readonly client: Client;
  readonly ids: readonly string[];
  readonly heads: Map<string, Head>;
}

/**
 * Opens connections for each form in which the same work can be sent to Citus: a statement or transaction for each
 * session, statements sent without waiting for each other, and one statement or transaction for all sessions of a
 * shard, routed by a list of their ids.
 *
 * @param count number of sessions of each shard
 */
export async function openStatementWays(side: Side, count: number): Promise<OpenWays> {
  const seats = await Promise.all((await createSessions(side.url, count)).map((ids) => takeSeat(side.url, ids)));
  const callers = (work: (seat: Seat) => Promise<unknown>) =>
    seats.map((seat) => async () => {
      await work(seat);
      return count;
    });
  return {
    ways: [
      { name: 'fetch: a statement for each', side, callers: callers(eachIn(fetchOne)) },
      { name: 'fetch: the same, pipelined', side, callers: callers(allIn(fetchOne)) },
      { name: 'fetch: a statement for all', side, callers: callers((seat) => fetchAll(seat, seat.ids)) },
      { name: 'append: a transaction for each', side, callers: callers(eachIn((seat, id) => appendTo(seat, [id]))) },
      { name: 'append: a transaction for all', side, callers: callers((seat) => appendTo(seat, seat.ids)) },
    ],
    close: async () => void (await Promise.all(seats.map(({ client }) => client.end()))),
  };
}

type One = (seat: Seat, id: string) => Promise<unknown>;

const eachIn = (one: One) => async (seat: Seat) => {
  for (const id of seat.ids) await one(seat, id);
};

const allIn = (one: One) => (seat: Seat) => Promise.all(seat.ids.map((id) => one(seat, id)));

async function takeSeat(connectionString: string, ids: readonly string[]): Promise<Seat> {
  const client = new Client({ connectionString, pipeline: true });
  client.on('error', () => undefined);
  await client.connect();
  return { client, ids, heads: new Map(ids.map((id) => [id, GENESIS])) };
}

async function createSessions(url: string, count: number): Promise<string[][]> {
  const shards = new Map<string, string[]>();
  const isFull = (ids: readonly string[]): boolean => ids.length >= count;
  while (shards.size < CONNECTIONS || ![...shards.values()].every(isFull)) {
    const ids = Array.from({ length: 200 }, newId);
    const rows = await runOn(
      url,
      `select id, get_shard_id_for_distribution_column('parley_session', id) as shard
       from unnest('{${ids.join(',')}}'::text[]) id`,
    );
    for (const { id, shard } of rows) {
      const own = shards.get(String(shard)) ?? [];
      if (!isFull(own) && (shards.has(String(shard)) || shards.size < CONNECTIONS))
        shards.set(String(shard), [...own, String(id)]);
    }
  }
  for (const id of [...shards.values()].flat())
    await runOn(
      url,
      `insert into parley_session values ('${id}', 'owner', 'T', 'ACTIVE', 'PLANNING', now(), 0, '${GENESIS.hash}')`,
    );
  return [...shards.values()];
}

const FETCH = 'select session_id, seq, hash from parley_session where session_id';

async function fetchOne({ client }: Seat, id: string): Promise<void> {
  expectRows(await client.query({ name: 'fetch_one', text: `${FETCH} = $1`, values: [id] }), 1);
}

async function fetchAll({ client }: Seat, ids: readonly string[]): Promise<void> {
  const list = ids.map((id) => `'${id}'`).join(', ');
  expectRows(await client.query(`${FETCH} in (${list})`), ids.length);
}

/**
 * Appends one event to each session, in the statements that the storage sends: begin and update, then inserts and
 * commit.
 */
async function appendTo({ client, heads }: Seat, ids: readonly string[]): Promise<void> {
  const appends = ids.map((id) => {
    const from = heads.get(id) ?? GENESIS;
    return { id, from, event: eventAfter(from, TEXT) };
  });
  const begun = client.query('begin');
  const updated = appends.length === 1 ? updateOne(client, appends[0]) : updateAll(client, appends);
  await begun;
  expectRows(await updated, ids.length);
  const values: unknown[] = [];
  const rows = appends.map(
    ({ id, event: { seq, hash, body } }) =>
      `($${values.push(id)}, $${values.push(seq)}, $${values.push(hash)}, $${values.push(body)})`,
  );
  const inserted = client.query({
    name: `insert_${ids.length}`,
    text: `insert into parley_event (session_id, seq, hash, body) values ${rows.join(', ')}`,
    values,
  });
  const committed = client.query('commit');
  await inserted;
  await committed;
  for (const { id, event } of appends) heads.set(id, event);
}

interface OneAppend {
  readonly id: string;
  readonly from: Head;
  readonly event: Head;
}

const updateOne = (client: Client, append: OneAppend | undefined): Promise<QueryResult> =>
  client.query({
    name: 'update_one',
    text: 'update parley_session set seq = $4, hash = $5 where session_id = $1 and seq = $2 and hash = $3',
    values: [append?.id, append?.from.seq, append?.from.hash, append?.event.seq, append?.event.hash],
  });

function updateAll(client: Client, appends: readonly OneAppend[]): Promise<QueryResult> {
  const list = appends.map(({ id }) => `'${id}'`).join(', ');
  const rows = appends.map(
    ({ id, from, event }) => `('${id}', ${from.seq}, '${from.hash}', ${event.seq}, '${event.hash}')`,
  );
  return client.query(
    `update parley_session s set seq = w.new_seq, hash = w.new_hash
     from (values ${rows.join(', ')}) w(id, seq, hash, new_seq, new_hash)
     where s.session_id = w.id and s.seq = w.seq and s.hash = w.hash and s.session_id in (${list})`,
  );
}

function expectRows({ rowCount }: QueryResult, count: number): void {
  if (rowCount !== count) throw new Error(`A statement concerned ${rowCount} rows, not ${count}.`);
}
