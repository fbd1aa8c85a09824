import type { ClientBase, Pool, PoolClient, QueryResultRow } from 'pg';
import { ConnectionLost, isConflict, readConnectFailure, readFailure, StatementRefused } from './failures.ts';
import type { Tables } from './tables.ts';

/** The database, as statements use it: one pool, through which all access goes, and the names of the tables. */
export interface Database {
  readonly pool: Pool;
  /** Takes a connection from the pool; rejects if none is available. */
  connect(): Promise<PoolClient>;
  readonly tables: Tables;
  /** Whether named statements are prepared on this connection. A pooler may not allow that. */
  isPrepared(client: ClientBase): boolean;
}

export interface Statement {
  /** Name of the prepared statement. Left out for a statement that is never prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs work on a connection of the pool. If the database answers with an error, the connection goes back to the pool. If the
 * connection breaks, it is dropped. PGlite has a single connection; dropping it without need would lose the state of its
 * protocol.
 */
async function withClient<T>({ connect }: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect().catch((error: unknown) => {
    throw readConnectFailure(error);
  });
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    const failure = readFailure(error);
    client.release(failure instanceof ConnectionLost);
    throw failure;
  }
}

/** Runs one statement, in a transaction of its own. */
export async function write<R extends QueryResultRow>(database: Database, statement: Statement): Promise<readonly R[]> {
  const { name, text } = statement;
  const values = [...statement.values];
  return withClient(database, async (client) => {
    const isNamed = name !== undefined && !outdated.has(client) && database.isPrepared(client);
    if (!isNamed) return (await client.query<R>({ text, values })).rows;
    try {
      return (await client.query<R>({ name, text, values })).rows;
    } catch (error) {
      if (!isOutdated(error)) throw error;
      outdated.add(client);
      return (await client.query<R>({ text, values })).rows;
    }
  });
}

/** Connections on which a prepared statement failed. Later statements on them are sent unprepared. */
const outdated = new WeakSet<ClientBase>();

/**
 * Whether an error says that the tables have changed, or that a pooler discarded the prepared statement. In both cases
 * the statement changed nothing.
 */
const isOutdated = (error: unknown): boolean => {
  const failure = readFailure(error);
  return failure instanceof StatementRefused && ['0A000', '26000'].includes(failure.sqlState);
};

/** Runs one statement that changes nothing. If the connection breaks, runs the statement once more on another connection. */
export async function read<R extends QueryResultRow>(database: Database, statement: Statement): Promise<readonly R[]> {
  try {
    return await write<R>(database, statement);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return write<R>(database, statement);
  }
}

/**
 * Begins a transaction that ends after 10 s without a statement. So a program that stops in the middle does not keep its locks.
 */
const BEGIN = 'begin isolation level read committed; set local idle_in_transaction_session_timeout = 10000';

/** Runs work in one transaction. If it loses against another transaction, runs it again, three times in all. */
export async function transact<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withClient(database, (client) => inTransaction(client, work));
    } catch (error) {
      if (tries === 3 || !isConflict(error)) throw error;
    }
  }
}

async function inTransaction<T>(client: PoolClient, work: (client: PoolClient) => Promise<T>): Promise<T> {
  await client.query(BEGIN);
  try {
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    if (!(readFailure(error) instanceof ConnectionLost)) await client.query('rollback');
    throw error;
  }
}
