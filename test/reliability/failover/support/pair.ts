import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../../../../scripts/servers/postgres-server.ts';
import { query } from '../../processes/support/database.ts';
import { openSwitch } from './switch.ts';

/**
 * How long a commit waits for the standby: not at all, until the standby has stored the commit (`on`), or until reads
 * on the standby show it (`remote_apply`).
 */
export type Waiting = 'not at all' | 'on' | 'remote_apply';

/** A primary, its standby, and one address that always leads to the current primary. */
export interface Pair {
  /** Leads to the current primary, through a proxy. */
  readonly url: string;
  direct(): string;
  /** Starts a new standby of the primary. Resolves when the standby has caught up. */
  addStandby(waiting: Waiting): Promise<void>;
  /** Interrupts replication to the standby. The primary gets no error. */
  holdStream(): void;
  /** Kills the primary as a power cut would, promotes the standby, and makes `url` lead to the standby. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

const portOf = (url: string): number => Number(new URL(url).port);

const SETTINGS = { max_connections: '60', shared_buffers: '32MB', wal_retrieve_retry_interval: '200ms' };

export async function startDurable(): Promise<PostgresServer> {
  const server = await startPostgres({ durable: true, settings: SETTINGS });
  if (!server) throw new Error('no PostgreSQL server');
  return server;
}

export async function openPair(): Promise<Pair> {
  let primary = await startDurable();
  let standby: PostgresServer | undefined;
  const door = await openSwitch(portOf(primary.url));
  const stream = await openSwitch(portOf(primary.url));

  return {
    url: Object.assign(new URL(primary.url), { port: door.port }).href,
    direct: () => primary.url,
    async addStandby(waiting) {
      stream.turnTo(portOf(primary.url));
      standby = await primary.addStandby(stream.port);
      await follows(primary, 'async');
      if (waiting === 'not at all') return;
      await set(primary, 'synchronous_commit', waiting);
      await set(primary, 'synchronous_standby_names', '*');
      await query(primary.url, 'select pg_reload_conf()');
      await follows(primary, 'sync');
    },
    holdStream: () => stream.hold(),
    async failOver() {
      if (!standby) throw new Error('no standby');
      await primary.crash();
      stream.turnTo(portOf(standby.url));
      await query(standby.url, 'select pg_promote()');
      door.turnTo(portOf(standby.url));
      await primary.stop();
      primary = standby;
      standby = undefined;
    },
    async close() {
      await Promise.all([door.close(), stream.close()]);
      await Promise.all([primary.stop(), standby?.stop()]);
    },
  };
}

const set = ({ url }: PostgresServer, name: string, value: string) =>
  query(url, `alter system set ${name} = '${value}'`);

/** Resolves when the standby has caught up and the primary reports this replication state. */
async function follows({ url }: PostgresServer, state: 'async' | 'sync'): Promise<void> {
  const caughtUp = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = '${state}'
    and replay_lsn >= pg_current_wal_flush_lsn()`;
  while ((await query(url, caughtUp)).length === 0) await pause(50);
}
