import { readPostgresSchema } from '@parley/storage-pg';
import { onPostgres } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

export const schema = onPostgres('tables', async (_postgres, { settings }) => {
  const standing = await readPostgresSchema({ connectionString: settings.databaseUrl ?? '' });
  const { version, newest } = standing;
  if (version === newest) return pass(`schema ${version}, up to date`);
  if (version > newest)
    return fail(`schema ${version}, this program knows ${newest}`, 'Install a newer parley, or go back to a backup.');
  return warn(
    version === 0 ? 'none yet' : `schema ${version}, this program brings it to ${newest}`,
    'Run `parley migrate up`, or let the next start do it; back up first where there is something to lose.',
  );
});
