import { counted } from '@parley/core/text';
import { numberOf, onPostgres } from '../check.ts';
import { fail, pass, warn } from '../result.ts';
import { countProcesses } from './processes.ts';

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
export const connections = onPostgres('connections', async (postgres, { settings }) => {
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
