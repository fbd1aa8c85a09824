import type { Storage } from '@parley/core';
import type { ClientBase, PoolConfig } from 'pg';
import { assembleStorage, readSecret } from './assemble-storage.ts';
import type { GroupListener } from './batching/batcher.ts';
import { FORMS, nameless, onOneConnection, openPool, serverOf } from './database/database.ts';
import { type Tables, tablesIn } from './database/tables.ts';
import { type HintBroker, type Hints, type HintsWatcher, NO_HINTS, openLinkedHints } from './hints/hints.ts';
import { installationId, openPostgresHintLink } from './hints/postgres-hint-link.ts';
import { checkCluster, type Distribution, distributeTables, NotDistributable } from './migrations/distribute-tables.ts';
import { partitionTables } from './migrations/partition-tables.ts';
import { prepareSchema, readSchemaStatus, type SchemaStatus } from './migrations/schema-version.ts';
import { GROUPED, SHARDED } from './sql/statements.ts';

export interface PostgresOptions {
  /** Address of the database, such as `postgres://user:password@host:5432/database`. */
  readonly connectionString: string;
  /**
   * Address of a direct connection, on which LISTEN works. Necessary if `connectionString` leads to a pooler in
   * transaction mode.
   */
  readonly hintConnectionString?: string;
  /** The PostgreSQL schema in which the tables are. Default `public`. */
  readonly schema?: string;
  /** Maximum number of connections, without the connection for hints. Default 10. */
  readonly poolMax?: number;
  /**
   * Whether statements are prepared by name, so that the database does not plan the same statement again. Prepared
   * statements do not work through PgBouncer before 1.21. Default: they are used on each connection that leads directly
   * to the database.
   */
  readonly isPrepared?: boolean | undefined;
  /**
   * Maximum number of batches of appends in flight. The same limit applies separately to batches of fetches. Has no
   * effect on a sharded database. Default 2.
   */
  readonly maxInFlight?: number;
  /** Maximum number of sessions in a batch. Has no effect on a sharded database. Default 64. */
  readonly maxBatchSize?: number;
  /**
   * Whether the database distributes sessions over several servers. If true, every statement on a session names only
   * that session, so that one server can run it. Default: detected when the storage is opened; true if Citus
   * distributes the tables.
   */
  readonly isSharded?: boolean | undefined;
  /** Called for each batched statement, with the number of calls in it. */
  readonly onGroup?: GroupListener;
  /** Whether due migrations are applied at the start. If false, only the schema version is checked. Default true. */
  readonly migrates?: boolean;
  /**
   * How processes learn of changes by other processes: by NOTIFY, or through a broker such as `createRedisHints(url)`.
   * With `off`, they look for changes every ten seconds. Default `notify`.
   */
  readonly hints?: 'notify' | 'off' | HintBroker;
  /** Called when hints begin to arrive, and when they no longer arrive. */
  readonly onHints?: HintsWatcher;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectMs?: number;
  /** Milliseconds to wait for the answer to a statement. Default 10,000. */
  readonly answerMs?: number;
}

/**
 * Opens the storage on a PostgreSQL database (15 or newer). Unless `migrates` is false, applies due migrations.
 *
 * @throws StorageUnavailable if the database cannot be reached
 * @throws Error if the database has a newer schema than this program
 */
export async function createPostgresStorage(options: PostgresOptions): Promise<Storage> {
  const { schema = 'public', poolMax = 10, isPrepared } = options;
  const tables = tablesIn(schema);
  const server = await serverOf(options);
  const isSharded = checkSharded(options, await migrateFirst(server, tables, options.migrates ?? true));
  const answering = { ...server, query_timeout: options.answerMs ?? 10_000 };
  const { onConnect, isDirect } = greetConnections(isSharded);
  const pool = openPool({ ...answering, max: poolMax, pipeline: isSharded, onConnect });
  const database = { pool, connect: () => pool.connect(), tables, isPrepared: preparing(isPrepared, isDirect) };
  const hints = openHints(options, answering, () => readSecret(database));
  return assembleStorage({
    database,
    statements: isSharded ? SHARDED : GROUPED,
    batching: isSharded ? { maxInFlight: sharesOf(poolMax), maxBatchSize: 1 } : batchesOf(options),
    onGroup: options.onGroup,
    hints,
    close: () => pool.end(),
  });
}

const batchesOf = ({ maxInFlight = 2, maxBatchSize = 64 }: PostgresOptions) => ({ maxInFlight, maxBatchSize });

/**
 * Maximum number of appends in flight on a sharded database, where each append uses one connection. The same limit
 * applies separately to fetches. A fifth of the connections remains for other statements.
 */
const sharesOf = (poolMax: number): number => Math.max(1, Math.floor(poolMax * 0.4));

/** Whether to use the statements for a sharded database. Throws if they are off although Citus distributes tables. */
function checkSharded({ isSharded }: PostgresOptions, { shards }: Distribution): boolean {
  if (isSharded === false && shards > 0)
    throw new Error(
      'Citus distributes the tables, but the statements for a sharded database are off. Remove isSharded: false or PARLEY_PG_SHARDED=off.',
    );
  return isSharded ?? shards > 0;
}

/**
 * The schema version of a PostgreSQL database. Reads it without changing anything.
 *
 * @throws StorageUnavailable if the database cannot be reached
 */
export async function readPostgresSchema(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'>,
): Promise<SchemaStatus> {
  return onOneConnection(nameless(await serverOf(options)), tablesIn(options.schema ?? 'public'), readSchemaStatus);
}

/**
 * Applies due migrations, and distributes the rows of sessions over partitions by the hash of the session id. The
 * storage needs no other options afterwards; each statement on one session reads one partition. Tables with rows are
 * locked until all rows are copied, so stop all servers first. A later call with another number copies the rows again.
 *
 * @param options.partitions number of partitions, 2 to 1,024
 * @throws NotDistributable if Citus distributes the tables
 * @throws StorageUnavailable if the database cannot be reached
 */
export async function partitionPostgres(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'> & { readonly partitions: number },
): Promise<SchemaStatus> {
  return onOneConnection(nameless(await serverOf(options)), tablesIn(options.schema ?? 'public'), async (database) => {
    const { shards } = await prepareSchema(database, true);
    if (shards > 0)
      throw new NotDistributable(
        'Citus distributes the tables. Partitions and shards cannot be combined. Migrate without partitions.',
      );
    await partitionTables(database, options.partitions);
    return readSchemaStatus(database);
  });
}

/**
 * Runs the migrations that are due, and distributes the rows of sessions over the workers of Citus by the session id.
 * `connectionString` is the address of the coordinator. The storage detects the distribution at its next start and
 * needs no other options. Rows that exist are copied, so stop all servers first. Does nothing if the tables are
 * distributed already.
 *
 * @param options.shards number of shards, 1 to 1,024; 32 if left out
 * @throws NotDistributable if Citus cannot distribute the tables; the message says what to do
 * @throws StorageUnavailable if the database cannot be reached
 */
export async function distributePostgres(
  options: Pick<PostgresOptions, 'connectionString' | 'schema' | 'connectMs'> & {
    readonly shards?: number | undefined;
  },
): Promise<SchemaStatus> {
  return onOneConnection(nameless(await serverOf(options)), tablesIn(options.schema ?? 'public'), async (database) => {
    await checkCluster(database);
    await prepareSchema(database, true);
    await distributeTables(database, options.shards);
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
  const direct =
    hintConnectionString === undefined ? server : { ...server, connectionString: hintConnectionString, options: '' };
  return openLinkedHints((onPayload) => openPostgresHintLink(direct, channelIn(schema), onPayload), onHints);
}

const channelIn = (schema: string): string => (schema === 'public' ? 'parley' : `parley_${schema}`);

/** Migrates on a separate connection without a time limit for statements, because a migration can take long. */
const migrateFirst = (server: PoolConfig, tables: Tables, migrates: boolean): Promise<Distribution> =>
  onOneConnection(nameless(server), tables, (database) => prepareSchema(database, migrates));

type AboutClient = (client: ClientBase) => boolean;

const preparing = (isPrepared: boolean | undefined, isDirect: AboutClient): AboutClient =>
  isPrepared === undefined ? isDirect : () => isPrepared;

/**
 * Detects for each new connection whether it leads directly to the database. A pooler gives its clients another process
 * id than the id of the server process. On a direct connection, statements are prepared and planned with `PLANNING`,
 * because the settings of the connection affect no other client.
 */
function greetConnections(isSharded: boolean) {
  const direct = new WeakSet<ClientBase>();
  return {
    async onConnect(client: ClientBase): Promise<void> {
      const { rows } = await client.query<{ pid: number }>(GREETING);
      const isOwn = 'processID' in client && client.processID === rows[0]?.pid;
      if (!isOwn) await client.query(FORMS);
      else if (!isSharded) await client.query(PLANNING);
      if (isOwn) direct.add(client);
    },
    isDirect: (client: ClientBase): boolean => direct.has(client),
  };
}

/**
 * SQL that returns the id of the server process and turns JIT off for the connection. The planner overestimates batched
 * fetches, so JIT would spend 10 ms on compiling a statement that runs in 0.5 ms.
 */
const GREETING = "select pg_backend_pid() as pid, set_config('jit', 'off', false)";

/**
 * Makes PostgreSQL use one generic plan with indexes for every batch, because every statement finds its rows by a key.
 * Planning each batch again would take three times as long as running it. Not used with Citus, whose coordinator cannot
 * use a generic plan for a statement that several workers run.
 */
const PLANNING = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';
