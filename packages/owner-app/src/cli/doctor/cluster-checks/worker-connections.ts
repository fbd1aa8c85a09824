import { counted } from '@parley/core/text';
import { numberOf, settingsOf } from '../check.ts';
import { countProcesses } from '../database-checks/processes.ts';
import { fail, firstOf, pass, warn } from '../result.ts';
import { onCitus, settingsOfWorkers } from './cluster.ts';

const LIMITS = ['max_connections', 'superuser_reserved_connections', 'reserved_connections'];
/**
 * The coordinator's setting that limits its connections to each worker. Only superusers may read this setting. The
 * value 0 means the value of `max_connections`, and -1 means no limit.
 */
const SHARED_POOL = 'citus.max_shared_pool_size';

/** Checks whether each worker accepts as many connections as the pools of all processes together can need. */
export const workerConnections = onCitus('Citus connections', async (postgres, { settings }) => {
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
