import knex, { type Knex } from 'knex';
import { type Database, read } from '../database/database.ts';
import { readFailure } from '../database/failures.ts';
import type { Tables } from '../database/tables.ts';
import {
  type Distribution,
  distributeNewTables,
  NotDistributable,
  ON_WORKER,
  ONE_CONNECTION_FOR_EACH_WORKER,
  type RunSql,
  readDistribution,
} from './distribute-tables.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { COUNT_PARTITIONS } from './partition-tables.ts';

const NEWEST = MIGRATIONS.length;

/**
 * Applies the migrations that are due, so that the tables have the schema of this program. If several processes start
 * at the same time, only one of them applies the migrations.
 *
 * @param migrates if false, no migration is applied, and only the version of the tables is checked
 * @returns how Citus distributes the tables
 * @throws Error if the schema is newer than this program, or if it is older and `migrates` is false
 * @throws NotDistributable if the database is on a worker of Citus
 */
export async function prepareSchema(database: Database, migrates: boolean): Promise<Distribution> {
  const distribution = await distributionOf(database);
  if (distribution.isWorker) throw new NotDistributable(ON_WORKER);
  const version = await readVersion(database);
  checkVersion(version, migrates);
  if (version < NEWEST) await migrate(database);
  return distribution;
}

function checkVersion(version: number, migrates: boolean): void {
  if (version > NEWEST) {
    throw new Error(
      `The tables have schema ${version}, but this program supports only schemas up to ${NEWEST}. Start a newer version of Parley.`,
    );
  }
  if (version < NEWEST && !migrates) {
    throw new Error(
      `The tables have schema ${version}, but this program needs schema ${NEWEST}. Run parley migrate up first.`,
    );
  }
}

/** The schema version of a database, and the schema version of this program. */
export interface SchemaStatus {
  /** Version of the tables. 0 if there are no tables yet. */
  readonly version: number;
  /** The schema version of this program. */
  readonly newest: number;
  readonly migrations: readonly { readonly name: string; readonly isApplied: boolean }[];
  /** Number of partitions over which the rows of sessions are distributed. 0 if the tables are not partitioned. */
  readonly partitions: number;
  /** Number of shards over which Citus distributes the rows of sessions; 0 if Citus does not distribute them. */
  readonly shards: number;
}

export async function readSchemaStatus(database: Database): Promise<SchemaStatus> {
  const version = await readVersion(database);
  const migrations = MIGRATIONS.map(({ name }, index) => ({ name, isApplied: index < version }));
  const values = [`"${database.tables.schema}".parley_event`];
  const [found] = await read<{ partitions: number }>(database, { text: COUNT_PARTITIONS, values });
  const { shards } = await distributionOf(database);
  return { version, newest: NEWEST, migrations, partitions: found?.partitions ?? 0, shards };
}

const distributionOf = (database: Database): Promise<Distribution> =>
  readDistribution((text) => read(database, { text, values: [] }), database.tables);

async function readVersion(database: Database): Promise<number> {
  const { schema, meta } = database.tables;
  const [found] = await read<{ oid: string | null; encoding: string }>(database, {
    text: "select to_regclass($1) as oid, current_setting('server_encoding') as encoding",
    values: [`"${schema}".parley_meta`],
  });
  if (found?.encoding !== 'UTF8')
    throw new Error(
      `The database has the encoding ${found?.encoding}, but Parley needs UTF8. Create a database with the encoding UTF8.`,
    );
  if (found.oid === null) return 0;
  const text = `select value from ${meta} where key = 'schema_version'`;
  const [row] = await read<{ value: string }>(database, { text, values: [] });
  return Number(row?.value ?? 0);
}

async function migrate({ pool, tables }: Database): Promise<void> {
  const connection = knex({ client: 'pg', connectionPool: pool, log: { warn: () => undefined } });
  try {
    await connection.transaction((trx) => migrateAlone(trx, tables));
  } catch (error) {
    throw readFailure(error);
  } finally {
    await connection.destroy();
  }
}

/**
 * Migrates the tables. If Citus distributes the sessions, also distributes new tables. Takes an advisory lock that ends
 * with the transaction, so it is released even after a crash or behind a pooler.
 */
async function migrateAlone(trx: Knex.Transaction, tables: Tables): Promise<void> {
  const { schema, meta } = tables;
  await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [`parley ${schema}`]);
  await trx.raw(`create schema if not exists "${schema}"`);
  await trx.raw(`create table if not exists ${meta} (key text collate "C" primary key, value text not null)`);
  const run: RunSql = async (text) => (await trx.raw<{ rows: Record<string, unknown>[] }>(text)).rows;
  const { shards } = await readDistribution(run, tables);
  if (shards > 0) await trx.raw(ONE_CONNECTION_FOR_EACH_WORKER);
  await trx.migrate.latest({
    tableName: 'parley_migration',
    schemaName: schema,
    migrationSource: {
      getMigrations: async () => [...MIGRATIONS],
      getMigrationName: ({ name }: Migration) => name,
      getMigration: async ({ up }: Migration) => ({ up: (inner) => up(inner, tables), down: neverDown }),
    },
  });
  await distributeNewTables(run, tables);
  const version = `insert into ${meta} (key, value) values ('schema_version', ?)
    on conflict (key) do update set value = excluded.value`;
  await trx.raw(version, [String(NEWEST)]);
}

const neverDown = async (): Promise<void> => {
  throw new Error('A migration cannot be undone. Restore a backup instead.');
};
