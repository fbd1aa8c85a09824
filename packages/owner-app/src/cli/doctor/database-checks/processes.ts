import type { PostgresInspection } from '@parley/storage-pg';
import { numberOf, onPostgres } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

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
export const processes = onPostgres('processes', async (postgres, { settings }) => {
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
