import { onPostgres, settingsOf } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

const DEAD = `
  select relname as name, n_dead_tup as dead, n_live_tup as live from pg_stat_user_tables
  where relname like 'parley\\_%' and n_dead_tup > 10000 and n_dead_tup > n_live_tup / 2
  order by n_dead_tup desc limit 1`;

export const autovacuum = onPostgres('autovacuum', async (postgres) => {
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
