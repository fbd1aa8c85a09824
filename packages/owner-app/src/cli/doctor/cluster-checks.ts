import { counted } from '@parley/core/text';
import type { PostgresInspection } from '@parley/storage-pg';
import { countProcesses, judgeClock } from './database-checks.ts';
import { type Check, type Deployment, numberOf, onPostgres, settingsOf } from './deployment.ts';
import { fail, firstOf, pass, type Result, warn } from './result.ts';

/** Creates a check of a Citus database. The check is skipped for databases without the extension `citus`. */
const onCitus = (
  name: string,
  run: (postgres: PostgresInspection, deployment: Deployment) => Promise<Result | undefined>,
): Check =>
  onPostgres(name, async (postgres, deployment) => {
    const [extension] = await postgres.rows("select 1 from pg_extension where extname = 'citus'");
    return extension && run(postgres, deployment);
  });

/** The answer of one active worker to an SQL command. */
interface WorkerAnswer {
  /** Host and port, such as `10.0.0.7:5432`. */
  readonly worker: string;
  /** True if the worker could be reached and ran the command. */
  readonly success: boolean;
  /** The value that the command returned, or the reason of the failure. */
  readonly result: string;
}

/** Runs an SQL command on every active worker, through the coordinator. The command must return a single value. */
async function askWorkers(postgres: PostgresInspection, text: string): Promise<readonly WorkerAnswer[]> {
  const rows = await postgres.rows('select * from run_command_on_workers($1) order by 1, 2', [text]);
  return rows.map(({ nodename, nodeport, success, result }) => ({
    worker: `${nodename}:${nodeport}`,
    success: success === true,
    result: String(result),
  }));
}

/** The values of PostgreSQL settings on every worker that can be reached. */
async function settingsOfWorkers(
  postgres: PostgresInspection,
  names: readonly string[],
): Promise<readonly { readonly worker: string; readonly values: ReadonlyMap<string, string> }[]> {
  const list = names.map((name) => `'${name}'`).join(', ');
  const answers = await askWorkers(
    postgres,
    `select coalesce(json_object_agg(name, setting), '{}')::text from pg_settings where name in (${list})`,
  );
  return answers
    .filter(({ success }) => success)
    .map(({ worker, result }) => ({ worker, values: new Map(Object.entries<string>(JSON.parse(result))) }));
}

function listOf(workers: readonly { readonly worker: string }[]): string | undefined {
  return workers.length === 0 ? undefined : workers.map(({ worker }) => worker).join(', ');
}

/**
 * SQL that reads how each table with a column `session_id` is distributed. If a table is not distributed, its `method`
 * is null.
 */
const TABLES = `
select c.relname as name, p.partmethod as method, column_to_column_name(p.logicalrelid, p.partkey) as key,
  p.colocationid::int as colocation,
  (select count(*)::int from pg_dist_shard s where s.logicalrelid = c.oid) as shards,
  (select max(copies)::int from (
     select count(*) as copies from pg_dist_shard s join pg_dist_placement using (shardid)
     where s.logicalrelid = c.oid group by s.shardid) counted) as copies
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attname = 'session_id'
left join pg_dist_partition p on p.logicalrelid = c.oid
where c.relnamespace = 'public'::regnamespace and c.relname like 'parley\\_%' and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname <> 'parley_session', c.relname`;

/** SQL that counts the shards of the table `parley_session` on each active worker. */
const SHARES = `
select nodename || ':' || nodeport as worker, count(own.shardid)::int as shards
from pg_dist_node n
left join (
  select groupid, shardid from pg_dist_placement join pg_dist_shard using (shardid)
  where logicalrelid = to_regclass('public.parley_session')) own using (groupid)
where n.groupid <> 0 and n.noderole = 'primary' and n.isactive and n.shouldhaveshards
group by 1 order by 2, 1`;

/** Checks whether all rows of a session are on one worker, in a single copy. */
const distribution = onCitus('Citus tables', async (postgres, { settings }) => {
  const tables = await postgres.rows(TABLES);
  const [first] = tables;
  if (first === undefined) return undefined;
  if (!first.method)
    return warn(
      `${settings.pgSharded ? 'PARLEY_PG_SHARDED is on, but ' : ''}the tables are not distributed: all sessions are on the coordinator`,
      'Stop the servers and run: parley migrate up --citus.',
    );
  const rest = tables.filter(({ method }) => !method).map(({ name }) => name);
  const odd = tables
    .filter(({ method, key, colocation }) => method && (key !== 'session_id' || colocation !== first.colocation))
    .map(({ name }) => name);
  const copied = tables.filter(({ copies }) => Number(copies) > 1).map(({ name }) => name);
  const shares = await postgres.rows(SHARES);
  const counts = shares.map(({ shards }) => Number(shards));
  return firstOf(
    settings.pgSharded === false &&
      fail(
        'Citus distributes the tables, but PARLEY_PG_SHARDED is off: a server does not start',
        'Remove PARLEY_PG_SHARDED, or set it to auto.',
      ),
    rest.length > 0 &&
      fail(
        `tables that are not distributed: ${rest.join(', ')}; no session can be written`,
        'Stop the servers and run: parley migrate up --citus.',
      ),
    odd.length > 0 &&
      fail(
        `tables that are not distributed together with parley_session by session_id: ${odd.join(', ')}`,
        `Stop the servers and run on the coordinator: ${odd.map((name) => `select undistribute_table('${name}');`).join(' ')} Then run: parley migrate up --citus.`,
      ),
    copied.length > 0 &&
      fail(
        `Citus keeps several copies of each shard of ${copied.join(', ')}. With several copies Citus refuses row locks, and storing a snapshot needs a row lock`,
        'On the coordinator, set citus.shard_replication_factor = 1 and call undistribute_table for each of the named tables. Then run: parley migrate up --citus. To survive the loss of a worker, give each worker a standby.',
      ),
    counts.length > 1 &&
      Math.max(...counts) - Math.min(...counts) > Math.max(1, Number(first.shards) / counts.length / 2) &&
      warn(
        `shards are unevenly spread: ${shares.map(({ worker, shards }) => `${worker} has ${shards}`).join(', ')}`,
        'Run on the coordinator: select citus_rebalance_start().',
      ),
    pass(
      `${tables.length} tables in ${first.shards} shards, distributed together by session_id, one copy of each shard`,
    ),
  );
});

/** Checks whether the clocks of the workers agree with the clock of this machine, which sets the times of events. */
const workerClocks = onCitus('Citus clocks', async (postgres) => {
  const before = Date.now();
  const answers = await askWorkers(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  const answered = answers.filter(({ success }) => success);
  if (answered.length === 0) return undefined;
  const judged = answered.map(({ worker, result }) =>
    judgeClock(Number(result), { before, after, place: `the worker ${worker}` }),
  );
  return (
    judged.find(({ standing }) => standing !== 'ok') ??
    pass(`the clocks of ${answered.length} workers and of this machine differ by less than two seconds`)
  );
});

const LIMITS = ['max_connections', 'superuser_reserved_connections', 'reserved_connections'];
/**
 * The coordinator's setting that limits its connections to each worker. Only superusers may read this setting. The
 * value 0 means the value of `max_connections`, and -1 means no limit.
 */
const SHARED_POOL = 'citus.max_shared_pool_size';

/** Checks whether each worker accepts as many connections as the pools of all processes together can need. */
const workerConnections = onCitus('Citus connections', async (postgres, { settings }) => {
  const limits = await settingsOfWorkers(postgres, LIMITS);
  if (limits.length === 0) return undefined;
  const usableAt = (values: ReadonlyMap<string, string>): number =>
    Number(values.get('max_connections')) -
    Number(values.get('superuser_reserved_connections') ?? 0) -
    Number(values.get('reserved_connections') ?? 0);
  const [least] = limits.toSorted((one, other) => usableAt(one.values) - usableAt(other.values));
  const usable = usableAt(least?.values ?? new Map());
  const accepted = Number(least?.values.get('max_connections'));
  const count = Math.max(1, await countProcesses(postgres));
  const wanted = count * settings.pgPool;
  const pool = (await settingsOf(postgres, [SHARED_POOL])).get(SHARED_POOL);
  const shared =
    pool === '0' ? await numberOf(postgres, "select current_setting('max_connections')::int") : Number(pool);
  const found = `${counted(count, 'process takes', 'processes take')} up to ${wanted} of ${usable} connections to the worker ${least?.worker}`;
  return firstOf(
    wanted > usable && fail(found, 'Raise max_connections of the workers (needs a restart), or lower PARLEY_PG_POOL.'),
    shared > 0 &&
      shared < wanted &&
      warn(
        `${SHARED_POOL} allows ${shared} connections to each worker, but ${counted(count, 'process', 'processes')} may need ${wanted}`,
        `Run on the coordinator: alter system set ${SHARED_POOL} = ${wanted}; select pg_reload_conf().`,
      ),
    shared > accepted &&
      warn(
        `${SHARED_POOL} allows ${shared} connections to each worker, but max_connections of ${least?.worker} is ${accepted}: under load, requests that list sessions may be refused`,
        `Run on the coordinator: alter system set ${SHARED_POOL} = ${accepted}; select pg_reload_conf().`,
      ),
    pass(found),
  );
});

/** Checks whether acknowledged writes survive a power cut of a worker. Only workers store rows of sessions. */
const workerDurability = onCitus('Citus durability', async (postgres) => {
  const settings = await settingsOfWorkers(postgres, ['fsync', 'full_page_writes', 'synchronous_commit']);
  if (settings.length === 0) return undefined;
  const off = (name: string): string | undefined => listOf(settings.filter(({ values }) => values.get(name) === 'off'));
  const [fsync, pages, commit] = [off('fsync'), off('full_page_writes'), off('synchronous_commit')];
  const advice = (name: string): string =>
    `On each of the named workers, set ${name} = on in postgresql.conf or with alter system; then run there: select pg_reload_conf().`;
  return firstOf(
    fsync !== undefined &&
      fail(`fsync is off on ${fsync}: a crash of the machine can destroy the database`, advice('fsync')),
    pages !== undefined &&
      fail(`full_page_writes is off on ${pages}: a crash can leave torn pages`, advice('full_page_writes')),
    commit !== undefined &&
      warn(
        `synchronous_commit is off on ${commit}: the last acknowledged turns can be lost in a crash`,
        advice('synchronous_commit'),
      ),
    pass(`fsync, full_page_writes and synchronous_commit are on at ${settings.length} workers`),
  );
});

const NODES = `
select string_agg(nodename || ':' || nodeport, ', ') filter (where groupid <> 0 and not isactive) as inactive,
  count(*) filter (where groupid <> 0 and isactive)::int as workers, count(*) filter (where groupid = 0)::int as coordinators,
  (select groupid <> 0 from pg_dist_local_group) as is_worker
from pg_dist_node where noderole = 'primary'`;

/**
 * Highest acceptable value of `citus.node_connection_timeout`, in milliseconds. While the coordinator waits for a
 * worker, the statement occupies a connection of Parley.
 */
const LONGEST_CONNECT_MS = 5_000;

/** Checks whether the coordinator can use all of its workers. */
const workers = onCitus('Citus workers', async (postgres) => {
  const [nodes = {}] = await postgres.rows(NODES);
  if (nodes.is_worker === true)
    return fail('DATABASE_URL leads to a worker', 'Set DATABASE_URL to the address of the coordinator.');
  if (nodes.inactive)
    return fail(
      `workers that are not active: ${nodes.inactive}`,
      "Start the inactive workers, then run on the coordinator: select citus_activate_node('<host>', <port>). Or remove them: select citus_remove_node('<host>', <port>).",
    );
  if (nodes.workers === 0)
    return warn(
      'no worker is registered at the coordinator',
      "Run for each worker: select citus_add_node('<host>', <port>). Then run: parley migrate up --citus.",
    );
  const answers = await askWorkers(postgres, 'select 1');
  const silent = answers.filter(({ success }) => !success);
  const settings = await settingsOfWorkers(postgres, ['wal_level']);
  const still = listOf(settings.filter(({ values }) => values.get('wal_level') !== 'logical'));
  const connectMs = Number(
    (await settingsOf(postgres, ['citus.node_connection_timeout'])).get('citus.node_connection_timeout'),
  );
  return firstOf(
    silent.length > 0 &&
      fail(
        `the coordinator cannot reach ${listOf(silent)}: ${silent[0]?.result}`,
        'Start the named workers, and check the network and pg_hba.conf. Until then, requests for sessions on these workers are answered with 503.',
      ),
    nodes.coordinators === 0 &&
      warn(
        'the address of the coordinator is not registered at the workers',
        "Run on the coordinator: select citus_set_coordinator_host('<host>', <port>).",
      ),
    connectMs > LONGEST_CONNECT_MS &&
      warn(
        `the coordinator waits up to ${connectMs / 1000} s for a connection to a worker: while a worker does not answer, requests for its sessions occupy connections that other sessions need`,
        "Run on the coordinator: alter system set citus.node_connection_timeout = '3s'; select pg_reload_conf().",
      ),
    still !== undefined &&
      warn(
        `wal_level is not logical on ${still}: sessions cannot be written while their shard moves to another worker`,
        'Set wal_level = logical in postgresql.conf of each worker, and restart it.',
      ),
    pass(`${nodes.workers} workers, all of them can be reached`),
  );
});

export const CLUSTER_CHECKS: readonly Check[] = [
  workers,
  distribution,
  workerDurability,
  workerClocks,
  workerConnections,
];
