import { randomBytes } from 'node:crypto';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import {
  ConnectionLost,
  isConflict,
  isDatabaseError,
  isWorkerLost,
  readConnectFailure,
  readFailure,
  StatementRefused,
  toPortFailure,
} from './failures.ts';
import type { Tables } from './tables.ts';

/**
 * Settings of PostgreSQL on which statements, connections or the driver depend. Each connection begins with these
 * values, whatever the server, the role or the database says. Two are not among them: how safe a commit is
 * (`synchronous_commit`) is for the operator to decide, and plans are set by `greetConnections`.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  exit_on_error: 'off',
  extra_float_digits: '1',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  lock_timeout: '0',
  quote_all_identifiers: 'off',
  row_security: 'on',
  search_path: 'public',
  standard_conforming_strings: 'on',
  statement_timeout: '0',
  transform_null_equals: 'off',
};

/**
 * The forms of times and texts on which statements rely, for a pooler that refused the startup parameters. PostgreSQL reports a
 * change of these three settings, so PgBouncer keeps them for each client, also in transaction mode. Other settings of the role or the
 * database are in force behind a pooler.
 */
export const FORMS = 'set datestyle = iso; set timezone = utc; set standard_conforming_strings = on';

/** The settings in the form of the startup parameter `options`. A backslash protects a space. */
const OPTIONS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

const OPTIONS_IN_ADDRESS = /([?&]options=)([^&]*)/;

/**
 * Adds the settings to the startup parameters of a connection, after the options that its address may have. They are
 * not sent in statements, because even the first statement could exceed a time limit of the server.
 */
function withSettings(config: ClientConfig): ClientConfig {
  const { connectionString = '' } = config;
  if (!OPTIONS_IN_ADDRESS.test(connectionString)) return { ...config, options: OPTIONS };
  const merge = (_: string, name: string, own: string): string => `${name}${own}%20${encodeURIComponent(OPTIONS)}`;
  return { ...config, connectionString: connectionString.replace(OPTIONS_IN_ADDRESS, merge) };
}

/**
 * Connects once to find out whether the server accepts the settings as startup parameters. Poolers such as PgBouncer
 * refuse them.
 *
 * @returns the configuration for further connections: with the settings, or unchanged if they were refused
 * @throws Error of the driver if the server cannot be reached
 */
export async function settle(config: ClientConfig): Promise<ClientConfig> {
  const settled = withSettings(config);
  try {
    await tryConnection(settled);
    return settled;
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    return config;
  }
}

async function tryConnection(config: ClientConfig): Promise<void> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

/** The connection pool through which all statements run, and the names of the tables. */
export interface Database {
  readonly pool: Pool;
  /** Takes a connection from the pool; rejects if none is available. */
  connect(): Promise<PoolClient>;
  /**
   * Called after each answer of the database, before the answer is used. Throws if the answer does not count, because
   * another process has taken the database over. Absent if that cannot happen.
   */
  confirm?(): void;
  readonly tables: Tables;
  /** Whether named statements are prepared on this connection. Some poolers do not support prepared statements. */
  isPrepared(client: ClientBase): boolean;
}

interface Statement {
  /** Name of the prepared statement. Absent for a statement that is never prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs work on a connection of the pool. If the database answers with an error, the connection goes back to the pool.
 * If the connection breaks, it is dropped.
 */
async function withClient<T>({ connect, confirm }: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect().catch((error: unknown) => {
    throw readConnectFailure(error);
  });
  try {
    const result = await work(client);
    confirm?.();
    client.release();
    return result;
  } catch (error) {
    const failure = readFailure(error);
    client.release(failure instanceof ConnectionLost);
    throw failure;
  }
}

/** Runs one statement in a transaction of its own. If its prepared form is outdated, sends it again unprepared. */
export async function write<R extends QueryResultRow>(database: Database, statement: Statement): Promise<readonly R[]> {
  return withClient(database, async (client) => {
    try {
      return (await client.query<R>(asSent(database, client, statement))).rows;
    } catch (error) {
      if (statement.name === undefined || !isOutdated(error)) throw error;
      outdated.add(client);
      return (await client.query<R>(asSent(database, client, statement))).rows;
    }
  });
}

/**
 * Converts a statement to the form of the driver. The name is included only if the statement can be prepared on this
 * connection.
 */
function asSent(database: Database, client: ClientBase, { name, text, values }: Statement): QueryConfig {
  const isNamed = name !== undefined && !outdated.has(client) && database.isPrepared(client);
  return isNamed ? { name, text, values: [...values] } : { text, values: [...values] };
}

/** Connections on which a prepared statement was outdated. Later statements on them are sent unprepared. */
const outdated = new WeakSet<ClientBase>();

/**
 * Whether an error means that the tables have changed, or that a pooler has discarded the prepared statement. In both
 * cases, the statement has changed nothing.
 */
const isOutdated = (error: unknown): boolean => {
  const failure = readFailure(error);
  return failure instanceof StatementRefused && ['0A000', '26000'].includes(failure.sqlState);
};

/**
 * Runs one statement that changes nothing. Runs it again once if the connection breaks, or if the coordinator of a
 * sharded database has lost its connection to a worker.
 */
export async function read<R extends QueryResultRow>(database: Database, statement: Statement): Promise<readonly R[]> {
  try {
    return await write<R>(database, statement);
  } catch (error) {
    if (!(error instanceof ConnectionLost || isWorkerLost(error))) throw error;
    return write<R>(database, statement);
  }
}

export interface Transaction {
  /** The connection of the transaction. */
  readonly client: PoolClient;
  query<R extends QueryResultRow>(statement: Statement): Promise<QueryResult<R>>;
  /** Sends a statement, but does not wait for its result. If the statement fails, the transaction fails. */
  send(statement: Statement): void;
}

/**
 * SQL that begins a transaction. The database ends the transaction after 10 s without a statement, so that a hanging
 * program does not keep its locks.
 */
const BEGIN = 'begin isolation level read committed; set local idle_in_transaction_session_timeout = 10000';

/**
 * Runs work in one transaction. Runs the work again, at most three times in all, after a conflict with another
 * transaction, if a prepared statement was outdated, or if the coordinator of a sharded database lost a worker before
 * the commit.
 *
 * @throws ConnectionLost if the connection breaks, and if the commit fails for any reason: the coordinator cannot
 * always detect whether a worker that died has committed
 */
export async function transact<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withClient(database, (client) => inTransaction(database, client, work));
    } catch (error) {
      if (tries === 3 || !(isConflict(error) || isWorkerLost(error) || isOutdated(error))) throw error;
    }
  }
}

/**
 * Runs work in a transaction that is rolled back. The work sees its own writes, and must not begin transactions itself.
 */
export async function rehearse(database: Database, work: (rehearsal: Database) => Promise<void>): Promise<void> {
  await withClient(database, async (client) => {
    const release = client.release;
    client.release = () => undefined;
    try {
      await client.query(BEGIN);
      await work({ ...database, connect: async () => client });
    } finally {
      client.release = release;
      await client.query('rollback');
    }
  });
}

/**
 * Sends BEGIN with the first statement, and COMMIT with the last statements, so that a connection in pipeline
 * mode waits for fewer answers.
 */
async function inTransaction<T>(
  database: Database,
  client: PoolClient,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const send = (query: Promise<unknown>): void => {
    query.catch(() => undefined);
    sent.push(query);
  };
  send(client.query(BEGIN));
  try {
    const result = await work({
      client,
      query: (statement) => client.query(asSent(database, client, statement)),
      send: (statement) => send(client.query(asSent(database, client, statement))),
    });
    const committed = client.query('commit');
    committed.catch(() => undefined);
    await Promise.all(sent);
    await committed.catch((cause: unknown) => {
      throw new ConnectionLost('The commit got no answer, so its outcome is unknown.', { cause });
    });
    return result;
  } catch (error) {
    await Promise.allSettled(sent);
    if (isOutdated(error)) outdated.add(client);
    if (!(readFailure(error) instanceof ConnectionLost)) await client.query('rollback');
    throw error;
  }
}

/**
 * Opens a pool. Ignores errors of idle connections, which would otherwise end the process. The next statement on a
 * broken connection fails.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export interface ServerOptions {
  readonly connectionString: string;
  /** Milliseconds to wait for a connection. Default 5,000. */
  readonly connectMs?: number;
}

/**
 * Settings of a connection. The application name is different for each process, and a name in the connection string
 * takes precedence.
 */
export async function serverOf({ connectionString, connectMs = 5_000 }: ServerOptions): Promise<PoolConfig> {
  const server = { connectionString, connectionTimeoutMillis: connectMs, keepAlive: true };
  const settled = await settle(nameless(server)).catch((error: unknown) => {
    throw readConnectFailure(error);
  });
  return { ...settled, fallback_application_name: `parley-${randomBytes(4).toString('hex')}` };
}

/**
 * Settings of a connection without the application name of this process, because a pooler would keep that name after
 * the client has disconnected.
 */
export const nameless = (server: PoolConfig): PoolConfig => ({ ...server, fallback_application_name: 'parley' });

/** Runs work on one connection without a time limit, which is closed afterwards. */
export async function onOneConnection<T>(
  server: PoolConfig,
  tables: Tables,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const pool = openPool({ ...server, max: 1, onConnect: async (client) => void (await client.query(FORMS)) });
  try {
    return await work({ pool, connect: () => pool.connect(), tables, isPrepared: () => false });
  } catch (error) {
    throw toPortFailure(error, 'read');
  } finally {
    await pool.end();
  }
}
