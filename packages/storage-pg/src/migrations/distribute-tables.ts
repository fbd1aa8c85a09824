import { type Database, read, transact, write } from '../database/database.ts';
import { SESSION_TABLES, type Tables } from '../database/tables.ts';

export type RunSql = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Thrown if Citus cannot distribute the tables. The message says what to do. */
export class NotDistributable extends Error {
  override readonly name = 'NotDistributable';
}

const DEFAULT_SHARDS = 32;
const MOST_SHARDS = 1_024;

/** The distribution of the tables over the servers of Citus. */
export interface Distribution {
  /** Whether the database is on a worker. Only the coordinator has all tables. */
  readonly isWorker: boolean;
  /** Number of shards over which the sessions are distributed; 0 if they are not distributed. */
  readonly shards: number;
}

/** Reads how Citus distributes the tables. Also works without the extension Citus: there are no shards then. */
export async function readDistribution(run: RunSql, tables: Tables): Promise<Distribution> {
  const [extension] = await run("select 1 from pg_extension where extname = 'citus'");
  if (extension === undefined) return { isWorker: false, shards: 0 };
  const [row] = await run(`
    select (select groupid <> 0 from pg_dist_local_group) as worker, (
      select count(*)::int from pg_dist_partition p join pg_dist_shard s on s.logicalrelid = p.logicalrelid
      where p.partmethod = 'h' and p.logicalrelid = to_regclass('${tables.session}')) as shards`);
  return { isWorker: row?.worker === true, shards: Number(row?.shards ?? 0) };
}

/**
 * Distributes the tables of sessions over the workers of Citus, by the session id, in one transaction. Rows that exist
 * are copied. Tables that are distributed already stay as they are.
 *
 * @param shards number of shards; 32 if left out
 * @throws NotDistributable if Citus is missing or has no worker, if processes of Parley use the database, or if the
 * tables are distributed in another way
 */
export async function distributeTables(database: Database, shards?: number): Promise<void> {
  const { tables } = database;
  if (shards !== undefined && !(Number.isSafeInteger(shards) && shards >= 1 && shards <= MOST_SHARDS)) {
    throw new TypeError(`The number of shards must be a whole number from 1 to ${MOST_SHARDS}.`);
  }
  const look: RunSql = (text) => read(database, { text, values: [] });
  await checkTables(look, tables, shards);
  await transact(database, async ({ client }) => {
    const run: RunSql = async (text) => (await client.query<Record<string, unknown>>(text)).rows;
    await run(`select pg_advisory_xact_lock(hashtext('parley ${tables.schema}'))`);
    await run(ONE_CONNECTION_FOR_EACH_WORKER);
    await distributeRest(run, tables, shards ?? DEFAULT_SHARDS);
  });
  for (const name of SESSION_TABLES) {
    await write(database, {
      text: `select truncate_local_data_after_distributing_table('${tables[name]}')`,
      values: [],
    });
  }
}

/**
 * Distributes the tables that a migration has added. Does nothing if the sessions are not distributed.
 *
 * @param run runs SQL in the transaction of the migration
 */
export async function distributeNewTables(run: RunSql, tables: Tables): Promise<void> {
  const { shards } = await readDistribution(run, tables);
  if (shards > 0) await distributeRest(run, tables, shards);
}

/**
 * SQL that makes Citus use one connection for each worker in a transaction. Otherwise, Citus copies the rows of a table
 * over several connections and then refuses to distribute another table.
 */
export const ONE_CONNECTION_FOR_EACH_WORKER = "set local citus.multi_shard_modify_mode = 'sequential'";

async function distributeRest(run: RunSql, tables: Tables, shards: number): Promise<void> {
  await run('set local citus.shard_replication_factor = 1');
  for (const name of SESSION_TABLES) {
    const table = tables[name];
    if ((await layoutOf(run, table)) !== undefined) continue;
    const place = name === 'session' ? `'none', shard_count => ${shards}` : `'${tables.session}'`;
    await run(`select create_distributed_table('${table}', 'session_id', colocate_with => ${place})`);
  }
}

/** Reads how one table is distributed. Returns undefined for a table that is only on the coordinator. */
async function layoutOf(run: RunSql, table: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [layout] = await run(`
    select partmethod as method, colocationid as colocation, column_to_column_name(logicalrelid, partkey) as key
    from pg_dist_partition where logicalrelid = '${table}'::regclass`);
  return layout;
}

/**
 * Checks that the tables have the expected distribution and that no process uses the database. A running process would
 * continue with the statements for the old tables.
 */
async function checkTables(run: RunSql, tables: Tables, shards: number | undefined): Promise<void> {
  const known = await readDistribution(run, tables);
  if (known.shards > 0 && shards !== undefined && shards !== known.shards)
    throw new NotDistributable(
      `The tables have ${known.shards} shards already. To change the number, run on the coordinator: select alter_distributed_table('${tables.session}', shard_count := ${shards}, cascade_to_colocated := true).`,
    );
  const first = await layoutOf(run, tables.session);
  for (const name of SESSION_TABLES) {
    const layout = await layoutOf(run, tables[name]);
    if (layout === undefined) continue;
    if (layout.method === 'h' && layout.key === 'session_id' && layout.colocation === first?.colocation) continue;
    throw new NotDistributable(
      `Citus does not distribute ${tables[name]} by session_id together with ${tables.session}. Run on the coordinator: select undistribute_table('${tables[name]}'). Then run the migration again.`,
    );
  }
  const [row] = known.shards > 0 ? [] : await run(PROCESSES);
  const count = Number(row?.count ?? 0);
  if (count > 0)
    throw new NotDistributable(
      `${count} ${count === 1 ? 'process of Parley uses' : 'processes of Parley use'} this database. Stop ${count === 1 ? 'it' : 'them'} first.`,
    );
}

/** SQL that counts the running processes of Parley by the application names of their connections. */
const PROCESSES = `
select count(distinct application_name)::int as count from pg_stat_activity
where datname = current_database() and application_name ~ '^parley-[0-9a-f]{8}$'`;

/**
 * Checks whether Citus can distribute tables of this database. Changes nothing.
 *
 * @throws NotDistributable if not; the message says what to do
 */
export async function checkCluster(database: Database): Promise<void> {
  const { tables } = database;
  const run: RunSql = (text) => read(database, { text, values: [] });
  const [extension] = await run("select 1 from pg_extension where extname = 'citus'");
  if (extension === undefined) throw new NotDistributable(NO_EXTENSION);
  const { isWorker } = await readDistribution(run, tables);
  if (isWorker) throw new NotDistributable(ON_WORKER);
  const [workers] = await run(WORKERS);
  if (Number(workers?.active ?? 0) === 0) throw new NotDistributable(NO_WORKERS);
  if (workers?.inactive) throw new NotDistributable(inactive(String(workers.inactive)));
  const [partitioned] = await run(
    `select 1 from pg_partitioned_table where partrelid = to_regclass('${tables.event}')`,
  );
  if (partitioned !== undefined) throw new NotDistributable(PARTITIONED);
}

const WORKERS = `
select count(*) filter (where isactive)::int as active,
  string_agg(nodename || ':' || nodeport, ', ') filter (where not isactive) as inactive
from pg_dist_node where groupid <> 0 and noderole = 'primary' and shouldhaveshards`;

const NO_EXTENSION =
  'This database has no extension citus. Install Citus on all servers, and run as a superuser in this database on each of them: create extension citus. Then run the migration again.';
export const ON_WORKER = 'The address of the database leads to a worker of Citus. Use the address of the coordinator.';
const NO_WORKERS =
  "The coordinator knows no worker. Run on it for each worker: select citus_add_node('<host>', <port>). Then run the migration again.";
const PARTITIONED =
  'The tables are partitioned. Partitions and shards cannot be combined. Copy the rows into a database without partitions first (pg_dump --data-only).';
const inactive = (names: string): string =>
  `Not every worker is active. Inactive: ${names}. Start each inactive worker, and run on the coordinator: select citus_activate_node('<host>', <port>). Or remove it: select citus_remove_node('<host>', <port>).`;
