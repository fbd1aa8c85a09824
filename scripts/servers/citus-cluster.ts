import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.ts';

/** A cluster of Citus: a coordinator and two workers on this machine. */
export interface CitusCluster {
  readonly coordinator: PostgresServer;
  readonly workers: readonly PostgresServer[];
  /** Starts another worker. No database uses it yet. */
  addWorker(): Promise<PostgresServer>;
  stop(): Promise<void>;
}

/**
 * Starts a private cluster, whose workers are added to the database of its coordinator.
 *
 * @returns the running cluster, or null if no PostgreSQL with Citus is installed
 */
export async function startCitus(options: PostgresOptions = {}): Promise<CitusCluster | null> {
  const all: PostgresOptions = {
    ...options,
    library: 'citus',
    settings: { max_connections: '200', shared_buffers: '64MB', wal_level: 'logical', ...options.settings },
  };
  const started: PostgresServer[] = [];
  const start = async (): Promise<PostgresServer> => {
    const server = await startPostgres(all);
    if (server === null) throw new Error('Citus is not installed.');
    started.push(server);
    return server;
  };
  const coordinator = await startPostgres(all);
  if (coordinator === null) return null;
  started.push(coordinator);
  const workers = [await start(), await start()];
  await join(
    coordinator.url,
    workers.map(({ url }) => url),
  );
  return {
    coordinator,
    workers,
    addWorker: start,
    async stop() {
      await Promise.all(started.map((server) => server.stop()));
    },
  };
}

/** Joins these databases to one Citus database. */
async function join(coordinator: string, workers: readonly string[]): Promise<void> {
  await Promise.all([coordinator, ...workers].map((url) => runOn(url, 'create extension if not exists citus')));
  const { hostname, port } = new URL(coordinator);
  await runOn(coordinator, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`);
  for (const url of workers) await addNode(coordinator, url);
}

/** Adds a worker to a database. */
export async function addNode(coordinator: string, worker: string): Promise<void> {
  const { hostname, port } = new URL(worker);
  await runOn(coordinator, `select citus_add_node('${hostname}', ${port || 5432})`);
}

/** URLs of the workers of a database, with the user and password of the coordinator's URL. */
export async function workersOf(coordinator: string): Promise<string[]> {
  const nodes = await runOn(
    coordinator,
    "select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary' order by 1, 2",
  );
  return nodes.map(({ host, port }) => Object.assign(new URL(coordinator), { hostname: host, port }).href);
}

/** Creates an empty database on all servers of a cluster. */
export async function createCitusDatabase(
  coordinator: string,
  workers: readonly string[],
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `c_${randomBytes(6).toString('hex')}`;
  const servers = [coordinator, ...workers];
  const there = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await Promise.all(servers.map((url) => runOn(url, `create database ${name}`)));
  await join(there(coordinator), workers.map(there));
  return {
    url: there(coordinator),
    async drop() {
      for (const url of servers) await runOn(url, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs SQL on a separate connection. Citus warns that `create database` affects only one server; this is intended. */
export async function runOn(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
