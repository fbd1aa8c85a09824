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
  /** A direct connection for LISTEN, if `connectionString` leads to a pooler in transaction mode. */
  readonly hintConnectionString?: string;
  /** The PostgreSQL schema that holds the tables. Default `public`. */
  readonly schema?: string;
  /** Maximum number of connections, not counting the one for hints. Default 10. */
  readonly poolMax?: number;
  /**
   * Uses named prepared statements, which saves the database planning them each time; not through PgBouncer before
   * 1.21. Left out: used on connections that lead to the database itself.
   */
  readonly isPrepared?: boolean | undefined;
  /** Maximum number of batches in flight, of appends and of fetches each. Default 2. */
  readonly lanes?: number;
  /** Maximum number of sessions in a batch; no effect with `isSharded`. Default 64. */
  readonly groupMax?: number;
  /**
   * For a database that distributes sessions over servers, such as Citus: every statement on a session names only that
   * session, so that it runs on one server. Default: true if `groupMax` is 1, else false.
   */
  readonly isSharded?: boolean;
  /** Called with the number of calls in each batched statement. */
  readonly onGroup?: GroupListener;
  /** Creates or updates the tables at the start; false only checks them. Default true. */
  readonly migrates?: boolean;
  /**
   * How other processes learn of changes: by NOTIFY, by a broker such as `createRedisHints(url)`, or not at all; then
   * they check every ten seconds. Default `notify`.
   */
  readonly hints?: 'notify' | 'off' | HintBroker;
  /** Called when hints begin to work and when they stop. */
  readonly onHints?: HintsWatcher;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectMs?: number;
  /** Milliseconds to wait for the answer to a statement. Default 10,000. */
  readonly answerMs?: number;
}

/**
 * Opens the storage on a PostgreSQL database (15 or newer) and updates its tables.
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
 * The schema version of a PostgreSQL database; changes nothing.
 * @throws StorageUnavailable if the database cannot be reached
 */
export async function readPostgresSchema(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'>,
): Promise<SchemaStatus> {
  return onOneConnection(nameless(serverOf(options)), tablesIn(options.schema ?? 'public'), readSchemaStatus);
}

/**
 * Updates the tables and distributes the rows of sessions over partitions by the hash of the session id. The storage
 * works as before, and each statement on one session reads one partition. Tables with rows are locked until all rows
 * are copied: stop all servers first. Can be called again with another number, which copies the rows again.
 * @param options.partitions 2 to 1,024
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
 * Sends no start-up parameters except the application name, because poolers refuse parameters that they do not know.
 * The name distinguishes the processes on a database; a name in the connection string takes precedence.
 */
function serverOf({ connectionString, connectMs = 5_000 }: PostgresOptions): PoolConfig {
  const fallback_application_name = `parley-${randomBytes(4).toString('hex')}`;
  return { connectionString, connectionTimeoutMillis: connectMs, keepAlive: true, fallback_application_name };
}

/** Migrates on a separate connection, which waits as long as a migration takes. */
const migrateFirst = (server: PoolConfig, tables: Tables, migrates: boolean): Promise<void> =>
  onOneConnection(nameless(server), tables, (database) => prepareSchema(database, migrates));

/**
 * The connection settings without a process name, because a pooler keeps the name of a connection after its client has
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
 * Determines once for each connection whether it leads to the database itself, and sets how its statements are planned.
 * A pooler reports a process id of its own to clients. If the server's process id equals the reported one, there is no
 * pooler: prepared statements persist, and settings affect no other client.
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
 * Uses one generic plan with indexes for all batches, because every statement finds its rows by a key. Otherwise
 * PostgreSQL would plan each batch again, which takes three times as long as running it, and would use outdated
 * statistics from a time when a table was small.
 */
const PLANNING = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';
