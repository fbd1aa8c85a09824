import { fail, firstOf, pass, warn } from '../result.ts';
import { listOf, onCitus, settingsOfWorkers } from './cluster.ts';

/** Checks whether acknowledged writes survive a power cut of a worker. Only workers store rows of sessions. */
export const workerDurability = onCitus('Citus durability', async (postgres) => {
  const settings = await settingsOfWorkers(postgres, ['fsync', 'full_page_writes', 'synchronous_commit']);
  if (settings.length === 0) return undefined;
  const off = (name: string): string | undefined => listOf(settings.filter(({ values }) => values.get(name) === 'off'));
  const [fsync, pages, commit] = [off('fsync'), off('full_page_writes'), off('synchronous_commit')];
  const advice = (name: string): string =>
    `On each of the named workers, set ${name} = on in postgresql.conf or with alter system; then run there: select pg_reload_conf().`;
  return firstOf(
    fsync !== undefined &&
      fail(`fsync is off on ${fsync}: a crash of the machine can destroy the database`, advice('fsync')),
    pages !== undefined &&
      fail(`full_page_writes is off on ${pages}: a crash can leave torn pages`, advice('full_page_writes')),
    commit !== undefined &&
      warn(
        `synchronous_commit is off on ${commit}: the last acknowledged turns can be lost in a crash`,
        advice('synchronous_commit'),
      ),
    pass(`fsync, full_page_writes and synchronous_commit are on at ${settings.length} workers`),
  );
});
