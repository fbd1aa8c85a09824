import { fail, firstOf, pass, warn } from '../result.ts';
import { onCitus } from './cluster.ts';

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
export const distribution = onCitus('Citus tables', async (postgres, { settings }) => {
  const tables = await postgres.rows(TABLES);
  const [first] = tables;
  if (first === undefined) return undefined;
  if (!first.method)
    return settings.pgSharded
      ? warn(
          'PARLEY_PG_SHARDED is on, but the tables are not distributed: all sessions are on the coordinator',
          'Stop the servers and run: parley migrate up --citus.',
        )
      : warn(
          'the tables are not distributed: all sessions are on the coordinator',
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
