import { distributePostgres } from '@parley/storage-pg';
import { createCitusDatabase, runOn, startCitus } from '../../../../scripts/servers/citus-cluster.ts';
import { startPostgres } from '../../../../scripts/servers/postgres-server.ts';
import { type Use, type WatchedServer, watchServer } from './server-use.ts';

export interface Side {
  readonly name: string;
  readonly url: string;
  /** The server to which the processes of Parley connect. */
  readonly front: WatchedServer;
  /** The Citus workers behind `front`. Empty for a single PostgreSQL. */
  readonly workers: readonly WatchedServer[];
  close(): Promise<void>;
}

/** Settings of the servers. Commits reach the disk, as in production. */
const settingsWith = (libraries: string) => ({
  durable: true,
  settings: { synchronous_commit: 'on', max_connections: '200', shared_preload_libraries: libraries },
});

export async function openSingle(): Promise<Side> {
  const server = await startPostgres(settingsWith('pg_stat_statements'));
  if (server === null) throw new Error('PostgreSQL is not installed.');
  await runOn(server.url, 'create database parley');
  const url = Object.assign(new URL(server.url), { pathname: '/parley' }).href;
  const front = await watchServer(url);
  return {
    ...{ name: 'one PostgreSQL', url, front, workers: [] },
    async close() {
      await front.close();
      await server.stop();
    },
  };
}

/** Starts a coordinator and two workers, and distributes the tables. */
export async function openCluster(): Promise<Side> {
  const cluster = await startCitus(settingsWith('citus,pg_stat_statements'));
  if (cluster === null) throw new Error('Citus is not installed.');
  const addresses = cluster.workers.map((worker) => worker.url);
  const { url } = await createCitusDatabase(cluster.coordinator.url, addresses);
  await distributePostgres({ connectionString: url });
  const workers: WatchedServer[] = [];
  for (const address of addresses) workers.push(await watchServer(address));
  const front = await watchServer(url);
  return {
    ...{ name: 'Citus, two workers', url, front, workers },
    async close() {
      for (const each of [front, ...workers]) await each.close();
      await cluster.stop();
    },
  };
}

export async function useOf(servers: readonly WatchedServer[]): Promise<Use> {
  const uses = await Promise.all(servers.map((server) => server.use()));
  return {
    statements: uses.reduce((sum, { statements }) => sum + statements, 0),
    processorMs: uses.reduce((sum, { processorMs }) => sum + processorMs, 0),
  };
}
