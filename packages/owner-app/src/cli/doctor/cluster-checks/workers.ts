import { settingsOf } from '../check.ts';
import { fail, firstOf, pass, warn } from '../result.ts';
import { askWorkers, listOf, onCitus, settingsOfWorkers } from './cluster.ts';

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
export const workers = onCitus('Citus workers', async (postgres) => {
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
