import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

/** What a server has used since the previous call of `use`. */
export interface Use {
  /** Statements that clients have sent, including begin and commit. */
  readonly statements: number;
  /** Processor time, user and system, of all processes of the server. */
  readonly processorMs: number;
}

export interface WatchedServer {
  use(): Promise<Use>;
  close(): Promise<void>;
}

/** Milliseconds of one tick, in which Linux counts the times in `/proc`. */
const TICK_MS = 10;

/** Watches a server that loads pg_stat_statements. `url` leads to any of its databases and names a superuser. */
export async function watchServer(url: string): Promise<WatchedServer> {
  const client = new Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  client.on('error', () => undefined);
  await client.connect();
  // With this setting, Citus creates the extension on this server only. A worker refuses to create it on all servers.
  await client.query('set citus.enable_ddl_propagation = off; create extension if not exists pg_stat_statements');
  const { rows } = await client.query<{ pid: string }>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
  );
  const pid = Number(rows[0]?.pid);
  let before = await look();
  async function look(): Promise<Use> {
    const counted = await client.query<{ calls: string }>('select sum(calls) as calls from pg_stat_statements');
    return { statements: Number(counted.rows[0]?.calls), processorMs: processorOf(pid) };
  }
  return {
    async use() {
      const now = await look();
      const used = {
        statements: now.statements - before.statements,
        processorMs: now.processorMs - before.processorMs,
      };
      before = now;
      return used;
    },
    close: () => client.end(),
  };
}

/**
 * Adds up the processor time of the server's first process, of the ended processes that it had started, and of the
 * processes that it has started and that still run.
 */
function processorOf(pid: number): number {
  const own = statOf(pid);
  const running = readdirSync('/proc')
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return TICK_MS * ((own?.all ?? 0) + running.reduce((sum, stat) => sum + (stat?.alone ?? 0), 0));
}

/**
 * Reads the parent of a process and its processor time in ticks: `alone` is the time of the process, `all` also
 * includes its ended children. Returns undefined if the process does not exist.
 */
function statOf(pid: number): { parent: number; alone: number; all: number } | undefined {
  if (!Number.isSafeInteger(pid)) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, alone: user + system, all: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
