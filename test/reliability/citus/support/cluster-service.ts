import { setTimeout as pause } from 'node:timers/promises';
import { distributePostgres } from '@parley/storage-pg';
import {
  type CitusCluster,
  createCitusDatabase,
  runOn,
  startCitus,
} from '../../../../scripts/servers/citus-cluster.ts';
import type { PostgresServer } from '../../../../scripts/servers/postgres-server.ts';
import { type Company, openCompany } from '../../failover/support/company.ts';
import type { Talk } from '../../failover/support/talk.ts';

/** Two hosts and their sessions on a cluster whose servers can be killed. */
export interface ClusterService {
  readonly cluster: CitusCluster;
  readonly url: string;
  readonly company: Company;
  /** Name of the database on every server. */
  readonly database: string;
  close(): Promise<void>;
}

/** Commits reach the disk, as in production. Otherwise a crash could lose acknowledged turns. */
const DURABLE = { durable: true, settings: { shared_buffers: '32MB' } };

export async function openClusterService(sessions: number): Promise<ClusterService> {
  const cluster = await startCitus(DURABLE);
  if (cluster === null) throw new Error('Citus is not installed.');
  const workers = cluster.workers.map(({ url }) => url);
  const { url } = await createCitusDatabase(cluster.coordinator.url, workers);
  await distributePostgres({ connectionString: url });
  const company = await openCompany(url, sessions);
  return {
    ...{ cluster, url, company },
    database: new URL(url).pathname.slice(1),
    async close() {
      await company.close();
      await cluster.stop();
    },
  };
}

/** Port of the worker that stores the rows of the session. */
export async function portOf(url: string, sessionId: string): Promise<number> {
  const [row] = await runOn(
    url,
    `select nodeport::int as port from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('parley_session', '${sessionId}')`,
  );
  return Number(row?.port);
}

/** The talks whose sessions are on this worker. */
export async function talksOn(url: string, talks: readonly Talk[], worker: PostgresServer): Promise<Talk[]> {
  const ports = await Promise.all(talks.map(({ seats }) => portOf(url, seats.agent_a.sessionId)));
  return talks.filter((_, index) => ports[index] === Number(new URL(worker.url).port));
}

/** Resolves when each talk has had `turns` further acknowledged turns. Returns the milliseconds until then. */
export async function goOn(talks: readonly Talk[], turns: number): Promise<number> {
  const from = performance.now();
  const done = ({ told }: Talk): number => told.filter(({ at }) => at >= from).length;
  while (talks.some((talk) => done(talk) < turns && talk.wrong.length === 0)) await pause(10);
  return performance.now() - from;
}
