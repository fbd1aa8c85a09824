import { onPostgres, settingsOf } from '../check.ts';
import { fail, firstOf, pass, warn } from '../result.ts';

const RELOAD = 'in postgresql.conf or with alter system; then run: select pg_reload_conf().';

/** Checks whether acknowledged writes survive a power cut. */
export const durability = onPostgres('durability', async (postgres) => {
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
