import { once } from 'node:events';
import pg from 'pg';

export interface PrivatePostgres {
  openDatabase(): Promise<string>;
  /** The version of the server, such as 15.18; undefined if no bench used a database. */
  version(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** A PostgreSQL server of this run. It starts when the first bench needs a database. Its commits are durable. */
export function privatePostgres(): PrivatePostgres {
  let starting: ReturnType<typeof startServer> | undefined;
  let databases = 0;
  return {
    async openDatabase() {
      starting ??= startServer();
      const { url } = await starting;
      databases += 1;
      const name = `bench_${databases}`;
      await runSql(url, `create database ${name}`);
      return url.replace(/\/postgres$/, `/${name}`);
    },
    async version() {
      if (starting === undefined) return undefined;
      const { url } = await starting;
      const client = await connectClient(url);
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      await client.end();
      return rows[0]?.server_version;
    },
    async stop() {
      const server = await starting;
      await server?.stop();
    },
  };
}

async function startServer() {
  const launcher = new URL('../../scripts/dist/postgres-server.js', import.meta.url).href;
  const { startPostgres } = (await import(launcher)) as typeof import('../../scripts/postgres-server.ts');
  const server = await startPostgres({ durable: true, settings: { synchronous_commit: 'on' } });
  if (!server) throw new Error('No PostgreSQL server programs are installed.');
  return server;
}

/** Runs statements on a separate connection. */
export async function runSql(connectionString: string, sql: string, values?: readonly unknown[]): Promise<void> {
  const client = await connectClient(connectionString);
  await client.query(sql, values && [...values]);
  await client.end();
}

export async function connectClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** Resolves at the next notification on this connection. */
export const heard = (client: pg.Client): Promise<unknown> => once(client, 'notification');
