import { randomBytes } from 'node:crypto';
import type { Storage } from '@parley/core';
import type { ClientBase, PoolConfig } from 'pg';
import { assembleStorage } from './assemble-storage.ts';
import type { GroupListener } from './batcher.ts';
import type { Database } from './database.ts';
import { toPortFailure } from './failures.ts';
import { type HintBroker, type Hints, type HintsWatcher, NO_HINTS } from './hints.ts';
import { installationId } from './installation-id.ts';
import { openLinkedHints } from './linked-hints.ts';
import { openPool } from './open-pool.ts';
import { partitionTables } from './partition-tables.ts';
import { openPostgresHintLink } from './postgres-hint-link.ts';
import { prepareSchema, readSchemaStatus, type SchemaStatus } from './schema-version.ts';
import { GROUPED, SHARDED } from './session-statements.ts';
import { readSecret } from './sql/read-secret.ts';
import { type Tables, tablesIn } from './tables.ts';

export interface PostgresOptions {
  /** For example `postgres://user:password@host:5432/database`. */
  readonly connectionString: string;
  /** A direct connection for LISTEN, where `connectionString` leads to a pooler in transaction mode. */
  readonly hintConnectionString?: string;
  /** The PostgreSQL schema that holds the tables. Default `public`. */
  readonly schema?: string;
  /** Connections at most, beside the one for hints. Default 10. */
  readonly poolMax?: number;
  /**
   * Prepares statements by name, which spares the database planning them each time; not through PgBouncer before 1.21.
   * Left out, on connections that lead to the database itself.
   */
  readonly isPrepared?: boolean | undefined;
  /** Groups in flight at most, of appends and of fetches. Default 2. */
  readonly lanes?: number;
  /** Sessions in a group at most; of no effect with `isSharded`. Default 64. */
  readonly groupMax?: number;
  /**
   * For a database that spreads sessions over servers, such as Citus: every statement on a session names that session
   * alone, so that it can be sent to one server. Default: true where `groupMax` is 1, else false.
   */
  readonly isSharded?: boolean;
  /** Told how many calls went into each grouped statement. */
  readonly onGroup?: GroupListener;
  /** Creates or updates the tables at the start; false only checks them. Default true. */
  readonly migrates?: boolean;
  /**
   * How other processes hear of changes: by NOTIFY, by a broker such as `createRedisHints(url)`, or not at all; then
   * they look every ten seconds. Default `notify`.
   */
  readonly hints?: 'notify' | 'off' | HintBroker;
  /** Told when hints begin to travel and when they no longer do. */
  readonly onHints?: HintsWatcher;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectMs?: number;
  /** Milliseconds to wait for the answer to a statement. Default 10,000. */
  readonly answerMs?: number;
}

/**
 * Opens the storage on a PostgreSQL database (15 or newer) and brings its tables up to date.
 *
 * @throws StorageUnavailable when the database cannot be reached
 * @throws Error when the database has a newer schema than this program
 */
export async function createPostgresStorage(options: PostgresOptions): Promise<Storage> {
  const {
    schema = 'public',
    lanes = 2,
    groupMax = 64,
    isSharded = groupMax === 1,
    isPrepared,
    migrates = true,
  } = options;
  const tables = tablesIn(schema);
  const server = serverOf(options);
  await migrateFirst(server, tables, migrates);
  const answering = { ...server, query_timeout: options.answerMs ?? 10_000 };
  const { onConnect, isDirect } = greetConnections();
  const pool = openPool({ ...answering, max: options.poolMax ?? 10, onConnect });
  const database = { pool, connect: () => pool.connect(), tables, isPrepared: preparing(isPrepared, isDirect) };
  const hints = openHints(options, answering, () => readSecret(database));
  return assembleStorage({
    database,
    statements: isSharded ? SHARDED : GROUPED,
    batching: { maxInFlight: lanes, maxBatchSize: isSharded ? 1 : groupMax },
    onGroup: options.onGroup,
    hints,
    close: () => pool.end(),
  });
}

/**
 * Looks where the tables of a PostgreSQL database stand, and changes nothing.
 *
 * @throws StorageUnavailable when the database cannot be reached
 */
export async function readPostgresSchema(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'>,
): Promise<SchemaStatus> {
  return onOneConnection(nameless(serverOf(options)), tablesIn(options.schema ?? 'public'), readSchemaStatus);
}

/**
 * Brings the tables up to date and spreads the rows of sessions over partitions by the hash of the session id. Everything
 * works as before, and each statement on one session touches one partition. On tables with rows they are locked until
 * all rows are copied: let no server run meanwhile. Another number may be given later; that copies again.
 *
 * @param options.partitions 2 to 1,024
 * @throws StorageUnavailable when the database cannot be reached
 */
export async function partitionPostgres(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'> & { readonly partitions: number },
): Promise<SchemaStatus> {
  return onOneConnection(nameless(serverOf(options)), tablesIn(options.schema ?? 'public'), async (database) => {
    await prepareSchema(database, true);
    await partitionTables(database, options.partitions);
    return readSchemaStatus(database);
  });
}

function openHints(
  { hints = 'notify', onHints, hintConnectionString, schema = 'public' }: PostgresOptions,
  server: PoolConfig,
  readInstallation: () => Promise<string>,
): Hints {
  if (hints === 'off') return NO_HINTS;
  if (hints !== 'notify') return hints.open(async () => installationId(await readInstallation()), onHints);
  const direct = hintConnectionString === undefined ? server : { ...server, connectionString: hintConnectionString };
  return openLinkedHints((onPayload) => openPostgresHintLink(direct, channelIn(schema), onPayload), onHints);
}

const channelIn = (schema: string): string => (schema === 'public' ? 'parley' : `parley_${schema}`);

/**
 * No start-up parameters, for poolers refuse those they do not know, but the one that every client sends: by their
 * names the processes on a database can be told apart, unless the connection string has a name.
 */
function serverOf({ connectionString, connectMs = 5_000 }: PostgresOptions): PoolConfig {
  const fallback_application_name = `parley-${randomBytes(4).toString('hex')}`;
  return { connectionString, connectionTimeoutMillis: connectMs, keepAlive: true, fallback_application_name };
}

/** On a connection of its own, which waits as long as a migration takes. */
const migrateFirst = (server: PoolConfig, tables: Tables, migrates: boolean): Promise<void> =>
  onOneConnection(nameless(server), tables, (database) => prepareSchema(database, migrates));

/** Not by the name of a process: a pooler keeps the name of a connection after its client has gone. */
const nameless = (server: PoolConfig): PoolConfig => ({ ...server, fallback_application_name: 'parley' });

async function onOneConnection<T>(
  server: PoolConfig,
  tables: Tables,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const pool = openPool({ ...server, max: 1 });
  try {
    return await work({ pool, connect: () => pool.connect(), tables, isPrepared: () => false });
  } catch (error) {
    throw toPortFailure(error, 'read');
  } finally {
    await pool.end();
  }
}

type AboutClient = (client: ClientBase) => boolean;

const preparing = (isPrepared: boolean | undefined, isDirect: AboutClient): AboutClient =>
  isPrepared === undefined ? isDirect : () => isPrepared;

/**
 * What is settled once on each connection: whether it leads to the database itself, and how its statements are planned.
 * A pooler names a process of its own to its clients: on a connection whose server process is the one that was named,
 * what is prepared stays prepared, and what is set reaches nobody else.
 */
function greetConnections() {
  const direct = new WeakSet<ClientBase>();
  return {
    async onConnect(client: ClientBase): Promise<void> {
      const { rows } = await client.query<{ pid: number }>(GREETING);
      if (!('processID' in client) || client.processID !== rows[0]?.pid) return;
      await client.query(PLANNING);
      direct.add(client);
    },
    isDirect: (client: ClientBase): boolean => direct.has(client),
  };
}

/** Turns JIT off: the planner overestimates batched fetches and would spend 10 ms compiling a statement that runs in 0.5 ms. */
const GREETING = "select pg_backend_pid() as pid, set_config('jit', 'off', false)";

/**
 * Every statement reaches its rows by a key. So one plan serves all groups, and it goes by the indexes even where the
 * statistics are of a time when a table was small: PostgreSQL would otherwise plan each group anew, which takes three
 * times as long as running it.
 */
const PLANNING = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';
