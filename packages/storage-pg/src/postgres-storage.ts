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
  /** Address of the database, such as `postgres://user:password@host:5432/database`. */
  readonly connectionString: string;
  /**
   * Address for a direct connection on which LISTEN works. Needed if `connectionString` leads to a pooler in transaction mode.
   */
  readonly hintConnectionString?: string;
  /** The PostgreSQL schema in which the tables are. Default `public`. */
  readonly schema?: string;
  /** Maximum number of connections. The connection for hints is not counted. Default 10. */
  readonly poolMax?: number;
  /**
   * Whether to use named prepared statements. With them the database does not plan a statement each time. They do not work
   * through PgBouncer before 1.21. Left out: used on each connection that leads to the database itself.
   */
  readonly isPrepared?: boolean | undefined;
  /** Maximum number of batches in flight: of appends, and also of fetches. Default 2. */
  readonly lanes?: number;
  /** Maximum number of sessions in a batch. Has no effect with `isSharded`. Default 64. */
  readonly groupMax?: number;
  /**
   * For a database that distributes sessions over several servers, such as Citus. Every statement on a session then names that
   * session only, so that one server can run it. Default: true if `groupMax` is 1, else false.
   */
  readonly isSharded?: boolean;
  /** Called for each batched statement, with the number of calls in it. */
  readonly onGroup?: GroupListener;
  /** Whether to create or update the tables at the start; false only checks them. Default true. */
  readonly migrates?: boolean;
  /**
   * How processes learn of changes that other processes make: by NOTIFY, or by a broker such as `createRedisHints(url)`. With
   * `off` they check for changes every ten seconds. Default `notify`.
   */
  readonly hints?: 'notify' | 'off' | HintBroker;
  /** Called when hints begin to work, and when they stop working. */
  readonly onHints?: HintsWatcher;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectMs?: number;
  /** Milliseconds to wait for the answer to a statement. Default 10,000. */
  readonly answerMs?: number;
}

/**
 * Opens the storage on a PostgreSQL database (15 or newer). Creates or updates its tables, unless `migrates` is false.
 *
 * @throws StorageUnavailable if the database cannot be reached
 * @throws Error if the database has a newer schema than this program
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
 * The schema version of a PostgreSQL database. Changes nothing.
 *
 * @throws StorageUnavailable if the database cannot be reached
 */
export async function readPostgresSchema(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'>,
): Promise<SchemaStatus> {
  return onOneConnection(nameless(serverOf(options)), tablesIn(options.schema ?? 'public'), readSchemaStatus);
}

/**
 * Updates the tables, and distributes the rows of sessions over partitions by the hash of the session id. The storage needs no
 * other options afterwards; each statement on one session reads one partition. Tables with rows are locked until all rows are
 * copied, so stop all servers first. A later call with another number copies the rows again.
 *
 * @param options.partitions number of partitions, 2 to 1,024
 * @throws StorageUnavailable if the database cannot be reached
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
 * Settings of a connection. The only start-up parameter is the application name, because poolers refuse parameters that they do
 * not know. The name differs between the processes on a database. A name in the connection string takes precedence.
 */
function serverOf({ connectionString, connectMs = 5_000 }: PostgresOptions): PoolConfig {
  const fallback_application_name = `parley-${randomBytes(4).toString('hex')}`;
  return { connectionString, connectionTimeoutMillis: connectMs, keepAlive: true, fallback_application_name };
}

/** Migrates on a separate connection, which has no time limit for the answer, because a migration can take long. */
const migrateFirst = (server: PoolConfig, tables: Tables, migrates: boolean): Promise<void> =>
  onOneConnection(nameless(server), tables, (database) => prepareSchema(database, migrates));

/**
 * The settings of a connection without the name of this process. A pooler keeps the name of a connection after its client has
 * left.
 */
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
 * Finds out for each connection, once, whether it leads to the database itself, and sets how its statements are planned. A
 * pooler tells its clients a process id of its own. So if the process id of the server is the id that the client was told,
 * there is no pooler: prepared statements stay, and settings affect no other client.
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

/**
 * Turns JIT off. The planner overestimates batched fetches, and JIT would spend 10 ms on compiling a statement that runs in 0.5
 * ms.
 */
const GREETING = "select pg_backend_pid() as pid, set_config('jit', 'off', false)";

/**
 * Makes PostgreSQL use one generic plan with indexes for all batches; every statement finds its rows by a key. Otherwise
 * PostgreSQL would plan each batch again, which takes three times as long as running it. It would also plan with outdated
 * statistics, from a time when a table was small.
 */
const PLANNING = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';
