import { onPostgres } from '../check.ts';
import { fail, pass } from '../result.ts';

/** What stands between: prepared statements are tried, not guessed from a version. */
export const pooler = onPostgres('pooler', async (postgres, { settings }) => {
  const isPooled = await postgres.isPooled();
  if (settings.pgPrepared && !(await postgres.keepsPrepared()))
    return fail(
      'prepared statements are on, and the pooler at DATABASE_URL loses them',
      'Set PARLEY_PG_PREPARED=off, or take PgBouncer 1.21 or newer with max_prepared_statements above 0.',
    );
  return pass(isPooled ? 'DATABASE_URL leads to one that pools transactions' : 'none that shares connections');
});
