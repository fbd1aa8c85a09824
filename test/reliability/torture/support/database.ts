import { distributePostgres } from '@parley/storage-pg';
import { createCitusDatabase, startCitus } from '../../../../scripts/servers/citus-cluster.ts';
import { type PostgresServer, startPostgres } from '../../../../scripts/servers/postgres-server.ts';

export interface Database {
  readonly url: string;
  /** The servers that can be restarted: one PostgreSQL, or the coordinator and the workers of Citus. */
  readonly servers: readonly PostgresServer[];
  stop(): Promise<void>;
}

/** Commits reach the disk, as in production. Otherwise a restart could lose acknowledged writes. */
const DURABLE = { durable: true, settings: { max_connections: '100', shared_buffers: '64MB' } };

/** If `servers` is 1, starts one PostgreSQL. If `servers` is larger, starts Citus and distributes the tables. */
export async function openDatabase(servers: number): Promise<Database> {
  if (servers === 1) {
    const server = await startPostgres(DURABLE);
    if (!server) throw new Error('This needs PostgreSQL 15 or newer on this machine: PG_BIN names its programs.');
    return { url: server.url, servers: [server], stop: server.stop };
  }
  const cluster = await startCitus(DURABLE);
  if (!cluster)
    throw new Error('This needs PostgreSQL 15 or newer with Citus on this machine: PG_BIN names its programs.');
  const workers = cluster.workers.map(({ url }) => url);
  const { url } = await createCitusDatabase(cluster.coordinator.url, workers);
  await distributePostgres({ connectionString: url });
  return { url, servers: [cluster.coordinator, ...cluster.workers], stop: cluster.stop };
}
