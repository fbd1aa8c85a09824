import knex, { type Knex } from 'knex';
import { type Database, read } from './database.ts';
import { readFailure } from './failures.ts';
import type { Migration } from './migrations/migration.ts';
import { MIGRATIONS } from './migrations/migrations.ts';
import { COUNT_PARTITIONS } from './partition-tables.ts';
import type { Tables } from './tables.ts';

const NEWEST = MIGRATIONS.length;

/**
 * Updates the tables to the schema of this program. If several processes start at the same time, only one of them does it.
 *
 * @param migrates false if another program creates the tables; then they are only checked
 * @throws Error if the schema is newer than this program, or if it is older and must not be migrated
 */
export async function prepareSchema(database: Database, migrates: boolean): Promise<void> {
  const version = await readVersion(database);
  checkVersion(version, migrates);
  if (version < NEWEST) await migrate(database);
}

function checkVersion(version: number, migrates: boolean): void {
  if (version > NEWEST) {
    throw new Error(
      `The database has schema ${version}; this program supports schemas up to ${NEWEST}: start a newer program.`,
    );
  }
  if (version < NEWEST && !migrates) {
    throw new Error(`The database has schema ${version}; this program requires ${NEWEST}: migrate it first.`);
  }
}

/** The schema version of the tables in a database. */
export interface SchemaStatus {
  /** Version of the tables; 0 if there are no tables yet. */
  readonly version: number;
  /** The schema version of this program. */
  readonly newest: number;
  readonly migrations: readonly { readonly name: string; readonly isApplied: boolean }[];
  /** Number of partitions over which the rows of sessions are distributed; 0 if the tables are not partitioned. */
  readonly partitions: number;
}

export async function readSchemaStatus(database: Database): Promise<SchemaStatus> {
  const version = await readVersion(database);
  const migrations = MIGRATIONS.map(({ name }, index) => ({ name, isApplied: index < version }));
  const values = [`"${database.tables.schema}".parley_event`];
  const [found] = await read<{ partitions: number }>(database, { text: COUNT_PARTITIONS, values });
  return { version, newest: NEWEST, migrations, partitions: found?.partitions ?? 0 };
}

async function readVersion(database: Database): Promise<number> {
  const { schema, meta } = database.tables;
  const [found] = await read<{ oid: string | null; encoding: string }>(database, {
    text: "select to_regclass($1) as oid, current_setting('server_encoding') as encoding",
    values: [`"${schema}".parley_meta`],
  });
  if (found?.encoding !== 'UTF8') throw new Error(`The database has encoding ${found?.encoding}; Parley needs UTF8.`);
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

/** Migrates while it holds a lock that ends with the transaction. So neither a crash nor a pooler can leave the lock behind. */
async function migrateAlone(trx: Knex.Transaction, tables: Tables): Promise<void> {
  const { schema, meta } = tables;
  await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [`parley ${schema}`]);
  await trx.raw(`create schema if not exists "${schema}"`);
  await trx.raw(`create table if not exists ${meta} (key text collate "C" primary key, value text not null)`);
  await trx.migrate.latest({
    tableName: 'parley_migration',
    schemaName: schema,
    migrationSource: {
      getMigrations: async () => [...MIGRATIONS],
      getMigrationName: ({ name }: Migration) => name,
      getMigration: async ({ up }: Migration) => ({ up: (inner) => up(inner, tables), down: neverDown }),
    },
  });
  const version = `insert into ${meta} (key, value) values ('schema_version', ?)
    on conflict (key) do update set value = excluded.value`;
  await trx.raw(version, [String(NEWEST)]);
}

const neverDown = async (): Promise<void> => {
  throw new Error('Migrations go forward only.');
};
