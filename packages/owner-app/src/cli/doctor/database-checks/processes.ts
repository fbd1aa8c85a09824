import type { PostgresInspection } from '@parley/storage-pg';
import { numberOf, onPostgres } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

/** Each process has a name of its own on its connections. A pooler keeps names longer than their processes live. */
const COUNT = `
  select count(distinct application_name) from pg_stat_activity
  where datname = current_database() and application_name ~ '^parley-[0-9a-f]{8}$'
    and (state_change is null or state_change > clock_timestamp() - interval '1 minute')`;

/** Processes that used the database within the last minute; one that nobody asks anything may be missing. */
export const countProcesses = (postgres: PostgresInspection): Promise<number> => numberOf(postgres, COUNT);

/** What several processes on one database have to agree about. */
export const processes = onPostgres('processes', async (postgres, { settings }) => {
  const count = await countProcesses(postgres);
  if (count < 2) return pass(count === 0 ? 'none on this database now' : 'one on this database');
  if (!settings.ownerKey)
    return fail(
      `${count} on this database, and PARLEY_OWNER_KEY is not set: each makes an owner key of its own`,
      'Set the same PARLEY_OWNER_KEY for every process.',
    );
  if (!settings.sharedLimits)
    return warn(
      `${count} on this database, each with rate windows of its own: a limit is ${count} times as high`,
      'Set PARLEY_SHARED_LIMITS=on for every process.',
    );
  return pass(`${count} on this database, with shared limits`);
});
