import type { PoolClient } from 'pg';
import { type Database, transact } from '../database/database.ts';
import { grantsLike, SESSION_TABLES } from '../database/tables.ts';

const PARTED = SESSION_TABLES.map((name) => `parley_${name}`);
const MOST_PARTITIONS = 1_024;

interface Rebuild {
  readonly client: PoolClient;
  readonly schema: string;
  /** Schema that contains the old tables until their rows have been copied. */
  readonly aside: string;
  readonly partitions: number;
}

/**
 * Distributes the rows of sessions over partitions, by the hash of the session id. Runs in one transaction, so the
 * tables are locked until all rows are copied. Keys, indexes, grants and storage parameters stay the same.
 */
export async function partitionTables(database: Database, partitions: number): Promise<void> {
  const { schema } = database.tables;
  if (!(Number.isSafeInteger(partitions) && partitions >= 2 && partitions <= MOST_PARTITIONS)) {
    throw new TypeError(`The number of partitions must be a whole number from 2 to ${MOST_PARTITIONS}.`);
  }
  await transact(database, async ({ client }) => {
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`parley ${schema}`]);
    if ((await countPartitions(client, schema)) === partitions) return;
    const rebuild = { client, schema, aside: `${schema}_unparted`, partitions };
    await client.query(`lock table ${PARTED.map((name) => `"${schema}".${name}`).join(', ')} in access exclusive mode`);
    await client.query(`create schema "${rebuild.aside}"`);
    for (const name of PARTED) await rebuildTable(rebuild, name);
    await client.query(`drop schema "${rebuild.aside}" cascade`);
  });
  for (const name of PARTED) {
    await transact(database, ({ client }) => client.query(`analyze "${schema}".${name}`));
  }
}

/** Returns the number of partitions, or 0 if the tables are not partitioned. */
async function countPartitions(client: PoolClient, schema: string): Promise<number> {
  const { rows } = await client.query<{ partitions: number }>(COUNT_PARTITIONS, [`"${schema}".parley_event`]);
  return rows[0]?.partitions ?? 0;
}

export const COUNT_PARTITIONS = 'select count(*)::int as partitions from pg_inherits where inhparent = to_regclass($1)';

interface Features {
  /** The primary and unique keys: the name and the definition of each, such as `PRIMARY KEY (session_id, seq)`. */
  readonly keys: readonly { readonly name: string; readonly definition: string }[];
  /** Statements that create the indexes which belong to no key. */
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
  await client.query(
    `create table ${table} (like "${aside}".${name} including generated) partition by hash (session_id)`,
  );
  const storage = options.length > 0 ? ` with (${options.join(', ')})` : '';
  for (let index = 0; index < partitions; index += 1) {
    const bounds = `for values with (modulus ${partitions}, remainder ${index})`;
    await client.query(`create table "${schema}".${name}_p${index} partition of ${table} ${bounds}${storage}`);
  }
  const columns = (await client.query<{ name: string }>(COLUMNS, [`"${aside}".${name}`])).rows.map((row) => row.name);
  const stored = columns.join(', ');
  await client.query(`insert into ${table} (${stored}) select ${stored} from "${aside}".${name}`);
  for (const key of keys) await client.query(`alter table ${table} add constraint "${key.name}" ${key.definition}`);
  for (const { definition } of [...indexes, ...grants]) await client.query(definition);
}

/** SQL that reads the names of the columns in order, except generated columns. */
const COLUMNS = `
select quote_ident(attname) as name from pg_attribute
where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;

const PARTITIONS = 'select inhrelid::regclass::text from pg_inherits where inhparent = $1::regclass';

const KEYS = `
select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
where conrelid = $1::regclass and contype in ('p', 'u') order by conname`;

/**
 * SQL that reads the definitions of indexes and removes the word ONLY from them. An index of a partitioned table is
 * defined with ONLY, and so would not be created on the partitions.
 */
const INDEXES = `
select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition from pg_index i
where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
order by 1`;

const GRANTS = grantsLike('$1::text', '$1');

/**
 * SQL that reads the storage parameters. If there are partitions, reads the parameters of a partition, because the
 * partitioned table itself has none.
 */
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
