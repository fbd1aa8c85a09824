import { onPostgres } from '../check.ts';
import { fail, pass } from '../result.ts';

/**
 * Runs a prepared statement to check whether the pooler supports prepared statements, because the version of a pooler
 * does not show whether it supports them.
 */
export const pooler = onPostgres('pooler', async (postgres, { settings }) => {
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
