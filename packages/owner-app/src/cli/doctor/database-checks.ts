import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '@parley/core/text';
import {
  createRedisHints,
  deliversNotify,
  type Hints,
  type PostgresInspection,
  readPgliteHolder,
  readPostgresSchema,
  rehearsePostgres,
} from '@parley/storage-pg';
import { databaseFolder, type Settings } from '../../server/settings/settings.ts';
import { type Check, numberOf, onPostgres, settingsOf } from './deployment.ts';
import { fail, firstOf, pass, type Result, reasonOf, warn } from './result.ts';

const DEAD = `
  select relname as name, n_dead_tup as dead, n_live_tup as live from pg_stat_user_tables
  where relname like 'parley\\_%' and n_dead_tup > 10000 and n_dead_tup > n_live_tup / 2
  order by n_dead_tup desc limit 1`;

const autovacuum = onPostgres('autovacuum', async (postgres) => {
  const values = await settingsOf(postgres, ['autovacuum', 'track_counts']);
  if (values.get('autovacuum') === 'off' || values.get('track_counts') === 'off')
    return fail(
      'autovacuum or track_counts is off: tables grow and get slower without limit',
      'Set autovacuum = on and track_counts = on in postgresql.conf; then run: select pg_reload_conf().',
    );
  const [worst] = await postgres.rows(DEAD);
  if (!worst) return pass('autovacuum is on, and no table has many dead rows');
  return warn(
    `${worst.name} has ${worst.dead} dead rows and ${worst.live} live rows`,
    `Run: vacuum analyze ${worst.name}. Look for long transactions with: select * from pg_stat_activity where xact_start < now() - interval '1 hour'.`,
  );
});

const MOST_MS = 2_000;

/**
 * Checks whether the clocks of this machine and of the database agree. This machine sets the times of events; the
 * database sets the time windows of shared rate limits.
 */
const clock = onPostgres('clock', async (postgres) => {
  const before = Date.now();
  const there = await numberOf(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  return judgeClock(there, { before, after, place: 'the database' });
});

/**
 * The times of this machine before and after a query, in milliseconds, and the name of the server that ran the query.
 */
interface Asked {
  readonly before: number;
  readonly after: number;
  readonly place: string;
}

/** Compares the time of a server, in milliseconds, with the times of this machine before and after the query. */
export function judgeClock(there: number, { before, after, place }: Asked): Result {
  const ahead = Math.max(there - after, before - there, 0);
  const direction = there > after ? 'ahead of' : 'behind';
  if (ahead <= MOST_MS) return pass(`the clocks of this machine and of ${place} differ by less than two seconds`);
  return warn(
    `the clock of ${place} is ${(ahead / 1000).toFixed(1)} s ${direction} this machine`,
    'Run a time service such as chrony on both machines.',
  );
}

/**
 * SQL that counts processes by the application names of their connections. A process that has ended is still counted
 * for a minute if a pooler keeps its connection.
 */
const COUNT = `
  select count(distinct application_name) from pg_stat_activity
  where datname = current_database() and application_name ~ '^parley-[0-9a-f]{8}$'
    and (state_change is null or state_change > clock_timestamp() - interval '1 minute')`;

/** The number of processes that used the database within the last minute. */
export const countProcesses = (postgres: PostgresInspection): Promise<number> => numberOf(postgres, COUNT);

/** Checks the settings that all processes on a database must share. */
const processes = onPostgres('processes', async (postgres, { settings }) => {
  const count = await countProcesses(postgres);
  if (count < 2) return pass(count === 0 ? 'no process uses this database now' : 'one process uses this database');
  if (!settings.ownerKey)
    return fail(
      `${count} processes use this database, and PARLEY_OWNER_KEY is not set: each process creates its own owner key`,
      'Set the same PARLEY_OWNER_KEY for every process.',
    );
  if (!settings.sharedLimits)
    return warn(
      `${count} processes use this database, and each of them counts requests separately: the rate limits are ${count} times as high as their settings`,
      'Set PARLEY_SHARED_LIMITS=on for every process.',
    );
  return pass(`${count} processes use this database and share their rate limits`);
});

const USABLE = `
  select least(
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database()))`;

/**
 * Checks whether `max_connections` is high enough for the connection pools of all processes. Skipped behind a pooler.
 */
const connections = onPostgres('connections', async (postgres, { settings }) => {
  if (await postgres.isPooled()) return undefined;
  const usable = await numberOf(postgres, USABLE);
  const count = Math.max(1, await countProcesses(postgres));
  const each = settings.pgPool + (settings.hints === 'notify' ? 1 : 0);
  const wanted = count * each;
  const found = `${counted(count, 'process takes', 'processes take')} up to ${wanted} of ${usable} connections`;
  const advice =
    'Raise max_connections (needs a restart), lower PARLEY_PG_POOL, or put PgBouncer in front of PostgreSQL.';
  if (wanted > usable) return fail(found, advice);
  return wanted > usable * 0.8 ? warn(found, advice) : pass(found);
});

const RELOAD = 'in postgresql.conf or with alter system; then run: select pg_reload_conf().';

/** Checks whether acknowledged writes survive a power cut. */
const durability = onPostgres('durability', async (postgres) => {
  const values = await settingsOf(postgres, ['fsync', 'full_page_writes', 'synchronous_commit']);
  const commit = values.get('synchronous_commit');
  return firstOf(
    values.get('fsync') === 'off' &&
      fail('fsync is off: a crash of the machine can destroy the database', `Set fsync = on ${RELOAD}`),
    values.get('full_page_writes') === 'off' &&
      fail('full_page_writes is off: a crash can leave torn pages', `Set full_page_writes = on ${RELOAD}`),
    commit === 'off' &&
      warn(
        'synchronous_commit is off: the last acknowledged turns can be lost in a crash',
        `Set synchronous_commit = on ${RELOAD} To set it only for the user of the service, run: alter role <user> set synchronous_commit = on.`,
      ),
    pass(`fsync and full_page_writes on, synchronous_commit ${commit}`),
  );
});

/**
 * Reports which process uses the data folder. Does not open the database, because that would change files in the
 * folder.
 */
export const embeddedDatabase: Check = {
  name: 'embedded database',
  async run({ settings }) {
    if (settings.databaseUrl) return undefined;
    const folder = databaseFolder(settings);
    const holder = await readPgliteHolder({ folder });
    if (settings.redisUrl || settings.sharedLimits || settings.pgDirectUrl)
      return warn(
        'a setting for several processes is set, but the embedded database allows only one process',
        'Set DATABASE_URL to a PostgreSQL server, or remove REDIS_URL, PARLEY_SHARED_LIMITS and PARLEY_PG_DIRECT_URL.',
      );
    if (holder === undefined) return pass(`${folder} has no database yet; the first start creates it`);
    return pass(holder === null ? `${folder}, used by no process` : `${folder}, used by process ${holder}`);
  },
};

/** Maximum number of milliseconds until a test message arrives. */
const ARRIVAL_MS = 10_000;
const TEN_SECONDS = 'agents learn of changes in other processes up to ten seconds late';

/** Checks whether hints between processes arrive, with a hint on a channel that no other program uses. */
const hints: Check = onPostgres('hints', async (postgres, { settings }) => {
  if (settings.hints === 'notify') return await tryNotify(settings);
  if (settings.hints === 'redis') return await tryRedis(settings.redisUrl ?? '');
  if ((await countProcesses(postgres)) < 2) return pass('off');
  return warn(
    `hints are off although several processes use this database: ${TEN_SECONDS}`,
    'Unset PARLEY_HINTS. The processes then use Redis if REDIS_URL is set, else NOTIFY of PostgreSQL.',
  );
});

async function tryNotify({ pgDirectUrl, databaseUrl }: Settings): Promise<Result> {
  const name = pgDirectUrl ? 'PARLEY_PG_DIRECT_URL' : 'DATABASE_URL';
  try {
    if (await deliversNotify(pgDirectUrl ?? databaseUrl ?? '')) return pass(`NOTIFY at ${name} works`);
  } catch (error) {
    return fail(
      `a connection to ${name} cannot LISTEN: ${reasonOf(error)}`,
      `Check the address in ${name}. Until LISTEN works there, ${TEN_SECONDS}.`,
    );
  }
  return fail(
    `${name} leads to a pooler, which does not deliver NOTIFY: ${TEN_SECONDS}`,
    'Set PARLEY_PG_DIRECT_URL to an address of PostgreSQL without the pooler, or set REDIS_URL. Set PARLEY_HINTS=off if ten seconds are acceptable.',
  );
}

async function tryRedis(url: string): Promise<Result> {
  const broker = await createRedisHints(url);
  const installation = `doctor-${randomUUID()}`;
  const refused = new AbortController();
  const open = () =>
    broker.open(
      async () => installation,
      ({ isLinked, cause }) => {
        if (!isLinked) refused.abort(cause);
      },
    );
  const sender = open();
  const listener = open();
  try {
    if (await hintArrives(sender, listener, refused.signal)) return pass('Redis works');
  } finally {
    await Promise.all([sender.close(), listener.close()]);
  }
  const reason = refused.signal.aborted ? reasonOf(refused.signal.reason) : 'a test message did not arrive';
  return fail(
    `Redis does not work: ${reason}`,
    `Check REDIS_URL, and that the server is Redis 6 or newer. Until Redis works, ${TEN_SECONDS}.`,
  );
}

/**
 * Sends a hint repeatedly until `listener` gets one, because `listener` may not listen yet when the first hint is sent.
 * Resolves with false if `refused` is aborted, or if no hint arrives within `ARRIVAL_MS`.
 */
async function hintArrives(sender: Hints, listener: Hints, refused: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const arrived = new Promise<true>((resolve) => {
    listener.onHint((sessionIds) => sessionIds.includes('doctor') && resolve(true));
  });
  const failed = pause(ARRIVAL_MS, false, { signal: AbortSignal.any([over.signal, refused]) }).catch(() => false);
  const repeating = setInterval(() => sender.hint(['doctor']), 100);
  try {
    return await Promise.race([arrived, failed]);
  } finally {
    clearInterval(repeating);
    over.abort();
  }
}

const PARTITIONED = `
  select c.relname as name, count(i.inhrelid)::int as parts, coalesce(sum(1.0 / nullif(
      substring(pg_get_expr(p.relpartbound, p.oid) from 'modulus (\\d+)')::numeric, 0)), 0)::float8 as share
  from pg_partitioned_table t
  join pg_class c on c.oid = t.partrelid and c.relnamespace = 'public'::regnamespace and c.relname like 'parley\\_%'
  left join pg_inherits i on i.inhparent = c.oid
  left join pg_class p on p.oid = i.inhrelid
  where t.partstrat = 'h'
  group by c.relname order by c.relname`;

/**
 * Checks whether a partitioned table lacks a partition. Sessions that belong to a missing partition cannot be written.
 */
const partitions = onPostgres('partitions', async (postgres) => {
  const tables = await postgres.rows(PARTITIONED);
  if (tables.length === 0) return undefined;
  const gap = tables.find(({ share }) => Math.abs(Number(share) - 1) > 1e-9);
  if (gap)
    return fail(
      `the table ${gap.name} lacks partitions; number of its partitions: ${gap.parts}`,
      'Create the partitions whose remainder is missing (\\d+ in psql shows the existing ones), or restore the backup.',
    );
  return pass(tables.map(({ name, parts }) => `${name} in ${parts}`).join(', '));
});

/**
 * Checks whether JIT is off, because compiling a statement takes longer than running it. Parley turns JIT off for its
 * own connections, but that setting does not pass through a pooler.
 */
const planner = onPostgres('JIT', async (postgres) => {
  const isOn = (await settingsOf(postgres, ['jit'])).get('jit') === 'on';
  if (!isOn) return pass('off');
  if (!(await postgres.isPooled())) return pass('JIT is on in the server, but off for the connections of Parley');
  return warn(
    'JIT is on, and Parley cannot turn it off behind a pooler: each statement may take 10 ms longer',
    'Run for the database user of the service: alter role <user> set jit = off.',
  );
});

/**
 * Runs a prepared statement to check whether the pooler supports prepared statements, because the version of a pooler
 * does not show whether it supports them.
 */
const pooler = onPostgres('pooler', async (postgres, { settings }) => {
  const isPooled = await postgres.isPooled();
  if (settings.pgPrepared && !(await postgres.keepsPrepared()))
    return fail(
      'prepared statements are on, but the pooler at DATABASE_URL does not support them',
      'Set PARLEY_PG_PREPARED=off, or use PgBouncer 1.21 or newer with max_prepared_statements above 0.',
    );
  return pass(
    isPooled
      ? 'DATABASE_URL leads to a pooler in transaction mode'
      : 'DATABASE_URL does not lead to a pooler in transaction mode',
  );
});

const OLDEST = 15;

const postgresReachable: Check = {
  name: 'PostgreSQL',
  async run({ settings, postgres, postgresFault }) {
    if (!settings.databaseUrl) return undefined;
    if (!postgres)
      return fail(
        `the PostgreSQL at DATABASE_URL cannot be reached: ${postgresFault}`,
        'Check that DATABASE_URL is right, that the server runs, and that this machine can connect to it.',
      );
    const values = await settingsOf(postgres, ['server_version', 'server_version_num', 'server_encoding']);
    const version = values.get('server_version') ?? '';
    if (Number(values.get('server_version_num')) < OLDEST * 10_000)
      return fail(`PostgreSQL ${version} is too old`, `Upgrade the server to PostgreSQL ${OLDEST} or newer.`);
    if (values.get('server_encoding') !== 'UTF8')
      return fail(
        `the database has the encoding ${values.get('server_encoding')}, but Parley needs UTF8`,
        "Create another database and point DATABASE_URL to it: create database parley_utf8 encoding 'UTF8' template template0",
      );
    const [row] = await postgres.rows('select pg_is_in_recovery() as standby');
    if (row?.standby === true)
      return fail(
        'DATABASE_URL leads to a standby, which refuses writes',
        'Set DATABASE_URL to the address of the primary.',
      );
    return pass(`PostgreSQL ${version}`);
  },
};

/**
 * The privileges that the service needs, by table. On a table that is not listed here, the service needs the privileges
 * in `OF_A_SESSION`.
 */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  parley_migration: ['select'],
  parley_migration_lock: ['select'],
  parley_meta: ['select', 'insert'],
  parley_session: ['select', 'insert', 'update', 'delete'],
  parley_rate: ['select', 'insert', 'update', 'delete'],
  parley_snapshot: ['select', 'insert', 'update', 'delete'],
  parley_presence: ['select', 'insert', 'update', 'delete'],
};
const OF_A_SESSION = ['select', 'insert', 'delete'];

const TABLES = `
  select c.relname as name, array(
      select p from unnest(array['select', 'insert', 'update', 'delete']) as p
      where has_table_privilege(c.oid, p)) as granted
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relname like 'parley\\_%' and c.relkind in ('r', 'p')
    and not c.relispartition
  order by 1`;

const privileges = onPostgres('privileges', async (postgres) => {
  const tables = await postgres.rows(TABLES);
  if (tables.length === 0) return judgeCreation(await postgres.rows(CREATION));
  const lacking = tables.flatMap(({ name, granted }) => {
    const needed = NEEDED[String(name)] ?? OF_A_SESSION;
    const missing = needed.filter((one) => !(Array.isArray(granted) && granted.includes(one)));
    return missing.length > 0 ? [`${missing.join(', ')} on ${String(name)}`] : [];
  });
  if (lacking.length === 0) return pass(`the database user has all necessary privileges on ${tables.length} tables`);
  return fail(
    `missing privileges of the database user: ${lacking.join('; ')}`,
    `Run as the owner of the tables: ${lacking.map((one) => `grant ${one} to <user>;`).join(' ')}`,
  );
});

const CREATION = "select has_schema_privilege('public', 'create') as may_create";

const judgeCreation = ([row]: readonly Readonly<Record<string, unknown>>[]): Result =>
  row?.may_create === true
    ? pass('the database user may create the tables')
    : warn(
        'there are no tables yet, and the database user may not create them',
        'Run `parley migrate up` as a user that may create tables in the schema public. Then run parley doctor again: it prints the grants that the user of DATABASE_URL needs.',
      );

/** Creates a session as the service does, lists it and rolls back. */
const rehearsal = onPostgres('writes', async (_postgres, { settings }) => {
  const database = { connectionString: settings.databaseUrl ?? '' };
  const { version, newest } = await readPostgresSchema(database);
  if (version !== newest) return undefined;
  try {
    return (await rehearsePostgres(database)) ? pass('a session was created, listed and rolled back') : undefined;
  } catch (error) {
    return fail(
      `a session cannot be created and listed: ${reasonOf(error)}`,
      'Check what the server, the role and the database set: select * from pg_db_role_setting. Behind a pooler, Parley cannot override it; set right values for the database user, or in connect_query of PgBouncer.',
    );
  }
});

const schema = onPostgres('tables', async (_postgres, { settings }) => {
  const standing = await readPostgresSchema({ connectionString: settings.databaseUrl ?? '' });
  const { version, newest } = standing;
  if (version === newest) return pass(`schema ${version}, up to date`);
  if (version > newest)
    return fail(
      `the tables have schema ${version}, which is newer than schema ${newest} of this program`,
      'Install the version of parley that migrated the tables, or restore a backup.',
    );
  return warn(
    version === 0
      ? 'the database has no tables yet'
      : `the tables have schema ${version}, but this program needs schema ${newest}`,
    'Back up existing data. Then run `parley migrate up`, or start a server, which migrates the tables too.',
  );
});

export const DATABASE_CHECKS: readonly Check[] = [
  embeddedDatabase,
  postgresReachable,
  schema,
  privileges,
  rehearsal,
  durability,
  autovacuum,
  partitions,
  planner,
  clock,
  pooler,
  processes,
  connections,
  hints,
];
