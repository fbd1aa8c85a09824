import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../../../../scripts/postgres-server.ts';
import { query } from '../../processes/support/database.ts';
import { openSwitch } from './switch.ts';

/** How a commit waits for the standby. */
export type Waiting = 'not at all' | 'on' | 'remote_apply';

/** A primary, the standby that follows it, and the one address under which the primary is found. */
export interface Pair {
  /** Leads to the primary. */
  readonly url: string;
  /** The server that is the primary now, past the switch. */
  direct(): string;
  /** A new standby follows the primary; resolves when it has all of it. */
  addStandby(waiting: Waiting): Promise<void>;
  /** Nothing reaches the standby any more, and nothing tells the primary. */
  holdStream(): void;
  /** Ends the primary as a power cut would, promotes the standby and turns the switch to it. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Small, and soon back where it was cut off: what is measured is Parley, not the waits of the server. */
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

/** Resolves when the standby has what the primary has, and counts as what it is to be. */
async function follows({ url }: PostgresServer, state: 'async' | 'sync'): Promise<void> {
  const caughtUp = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = '${state}'
    and replay_lsn >= pg_current_wal_flush_lsn()`;
  while ((await query(url, caughtUp)).length === 0) await pause(50);
}
