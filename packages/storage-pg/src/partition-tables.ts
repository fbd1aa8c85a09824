import type { PoolClient } from 'pg';
import { type Database, transact } from './database.ts';
import { grantsLike } from './grants.ts';

/** The tables that have rows of sessions. Their keys begin with the session id. */
const PARTED = ['parley_session', 'parley_event', 'parley_document', 'parley_snapshot'];
const MOST_PARTITIONS = 1_024;

interface Rebuild {
  readonly client: PoolClient;
  readonly schema: string;
  /** Schema to which the old tables are moved until their rows have been copied. */
  readonly aside: string;
  readonly partitions: number;
}

/**
 * Distributes the rows of sessions over partitions, by the hash of the session id. All of this is one transaction, so the
 * tables are locked until all rows are copied. Keeps keys, indexes, grants and storage parameters.
 */
export async function partitionTables(database: Database, partitions: number): Promise<void> {
  const { schema } = database.tables;
  if (!(Number.isSafeInteger(partitions) && partitions >= 2 && partitions <= MOST_PARTITIONS)) {
    throw new TypeError(`The number of partitions must be a whole number from 2 to ${MOST_PARTITIONS}.`);
  }
  await transact(database, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`parley ${schema}`]);
    if ((await countPartitions(client, schema)) === partitions) return;
    const rebuild = { client, schema, aside: `${schema}_unparted`, partitions };
    await client.query(`lock table ${PARTED.map((name) => `"${schema}".${name}`).join(', ')} in access exclusive mode`);
    await client.query(`create schema "${rebuild.aside}"`);
    for (const name of PARTED) await rebuildTable(rebuild, name);
    await client.query(`drop schema "${rebuild.aside}" cascade`);
  });
  for (const name of PARTED) {
    await transact(database, (client) => client.query(`analyze "${schema}".${name}`));
  }
}

/** The number of partitions; 0 if the tables are not partitioned. */
async function countPartitions(client: PoolClient, schema: string): Promise<number> {
  const { rows } = await client.query<{ partitions: number }>(COUNT_PARTITIONS, [`"${schema}".parley_event`]);
  return rows[0]?.partitions ?? 0;
}

export const COUNT_PARTITIONS = 'select count(*)::int as partitions from pg_inherits where inhparent = to_regclass($1)';

interface Features {
  /** Primary and unique keys: the name of each, and its definition, such as `PRIMARY KEY (session_id, seq)`. */
  readonly keys: readonly { readonly name: string; readonly definition: string }[];
  /** Statements that create the indexes which do not belong to a key. */
  readonly indexes: readonly { readonly definition: string }[];
  /** Statements that restore the grants. */
  readonly grants: readonly { readonly definition: string }[];
  /** Storage parameters, such as `fillfactor=70`. */
  readonly options: readonly string[];
}

async function rebuildTable({ client, schema, aside, partitions }: Rebuild, name: string): Promise<void> {
  const table = `"${schema}".${name}`;
  const { keys, indexes, grants, options } = await featuresOf(client, table);
  for (const [partition] of (await client.query<[string]>({ text: PARTITIONS, values: [table], rowMode: 'array' }))
    .rows) {
    await client.query(`alter table ${partition} set schema "${aside}"`);
  }
  await client.query(`alter table ${table} set schema "${aside}"`);
  await client.query(`create table ${table} (like "${aside}".${name}) partition by hash (session_id)`);
  const storage = options.length > 0 ? ` with (${options.join(', ')})` : '';
  for (let index = 0; index < partitions; index += 1) {
    const bounds = `for values with (modulus ${partitions}, remainder ${index})`;
    await client.query(`create table "${schema}".${name}_p${index} partition of ${table} ${bounds}${storage}`);
  }
  await client.query(`insert into ${table} select * from "${aside}".${name}`);
  for (const key of keys) await client.query(`alter table ${table} add constraint "${key.name}" ${key.definition}`);
  for (const { definition } of [...indexes, ...grants]) await client.query(definition);
}

const PARTITIONS = 'select inhrelid::regclass::text from pg_inherits where inhparent = $1::regclass';

const KEYS = `
select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
where conrelid = $1::regclass and contype in ('p', 'u') order by conname`;

/**
 * SQL that reads the definitions of indexes. Removes the word ONLY, which the definition of an index on a partitioned table
 * contains: with it, no partition would get the index.
 */
const INDEXES = `
select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition from pg_index i
where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
order by 1`;

const GRANTS = grantsLike('$1::text', '$1');

/** SQL that reads the storage parameters. Reads those of a partition, because the partitioned table itself has none. */
const OPTIONS = `
select c.reloptions as options from pg_class c
where c.oid = $1::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = $1::regclass)
order by c.reloptions is null limit 1`;

async function featuresOf(client: PoolClient, table: string): Promise<Features> {
  const [keys, indexes, grants] = [
    await client.query<Features['keys'][number]>(KEYS, [table]),
    await client.query<Features['indexes'][number]>(INDEXES, [table]),
    await client.query<Features['grants'][number]>(GRANTS, [table]),
  ];
  const { rows } = await client.query<{ options: string[] | null }>(OPTIONS, [table]);
  return { keys: keys.rows, indexes: indexes.rows, grants: grants.rows, options: rows[0]?.options ?? [] };
}
