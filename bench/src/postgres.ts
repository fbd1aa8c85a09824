import { once } from 'node:events';
import pg from 'pg';

export interface PrivatePostgres {
  openDatabase(): Promise<string>;
  /** The version of the server, such as 15.18. Undefined if no bench has used a database. */
  version(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/**
 * Returns the PostgreSQL server of this run, which starts when the first bench needs a database. Its commits are
 * written to the disk.
 */
export function privatePostgres(): PrivatePostgres {
  let starting: ReturnType<typeof startServer> | undefined;
  let databases = 0;
  /**
   * Resolves to the server, or to undefined if no bench has needed it or if its start failed. `openDatabase` reports a
   * failed start.
   */
  const started = () => starting?.catch(() => undefined);
  return {
    async openDatabase() {
      starting ??= startServer();
      const { url } = await starting;
      databases += 1;
      const name = `bench_${databases}`;
      await runSql(url, `create database ${name}`);
      return url.replace(/\/postgres$/, `/${name}`);
    },
    version: async () => (await started())?.version,
    stop: async () => (await started())?.stop(),
  };
}

async function startServer() {
  const launcher = new URL('../../scripts/dist/servers/postgres-server.js', import.meta.url).href;
  const { startPostgres } = (await import(launcher)) as typeof import('../../scripts/servers/postgres-server.ts');
  const server = await startPostgres({ durable: true, settings: { synchronous_commit: 'on' } });
  if (!server) throw new Error('No PostgreSQL server programs are installed.');
  const client = await connectClient(server.url);
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return { ...server, version: rows[0]?.server_version };
}

/** Runs one statement on a separate connection. */
export async function runSql(connectionString: string, sql: string, values?: readonly unknown[]): Promise<void> {
  const client = await connectClient(connectionString);
  try {
    await client.query(sql, values && [...values]);
  } finally {
    await client.end();
  }
}

export async function connectClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // If PostgreSQL ends, the next query fails. Without this listener, the whole process would end.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Resolves at the next notification on this connection. */
export const heard = (client: pg.Client): Promise<unknown> => once(client, 'notification');
