import type { ClientBase, Pool, PoolClient, QueryResultRow } from 'pg';
import { ConnectionLost, isConflict, readConnectFailure, readFailure, StatementRefused } from './failures.ts';
import type { Tables } from './tables.ts';

/** What every statement needs: the one pool that all access goes through, and where the tables are. */
export interface Database {
  readonly pool: Pool;
  /** Takes a connection from the pool; rejects when there is none to be had. */
  connect(): Promise<PoolClient>;
  readonly tables: Tables;
  /** Whether statements of the hot path are prepared by name on a connection. */
  isPrepared(client: ClientBase): boolean;
}

export interface Statement {
  /** Names the prepared statement; left out for statements that are never prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Lends a connection. It goes back undamaged after an error with an SQLSTATE and is dropped when it broke: on
 * PGlite a needless drop would lose the protocol's place on the one connection there is.
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

/** Runs one statement in a transaction of its own. */
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

/** Connections on which something prepared is of no use any more: statements go there unprepared from then on. */
const outdated = new WeakSet<ClientBase>();

/** The tables have changed since, or a pooler discarded what was prepared. The statement did nothing. */
const isOutdated = (error: unknown): boolean => {
  const failure = readFailure(error);
  return failure instanceof StatementRefused && ['0A000', '26000'].includes(failure.sqlState);
};

/** Runs one statement that changes nothing; on a broken connection once more on another. */
export async function read<R extends QueryResultRow>(database: Database, statement: Statement): Promise<readonly R[]> {
  try {
    return await write<R>(database, statement);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return write<R>(database, statement);
  }
}

/** A program that stops in the middle must not hold its locks for long. */
const BEGIN = 'begin isolation level read committed; set local idle_in_transaction_session_timeout = 10000';

/** Runs the work in one transaction; again, up to three times, when it lost to another one. */
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
