import { readPostgresSchema } from '@parley/storage-pg';
import { onPostgres } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

export const schema = onPostgres('tables', async (_postgres, { settings }) => {
  const standing = await readPostgresSchema({ connectionString: settings.databaseUrl ?? '' });
  const { version, newest } = standing;
  if (version === newest) return pass(`schema ${version}, up to date`);
  if (version > newest)
    return fail(
      `schema ${version} is newer than this program, which has ${newest}`,
      'Install a newer parley, or restore a backup.',
    );
  return warn(
    version === 0 ? 'no tables yet' : `schema ${version}, and this program needs ${newest}`,
    'Back up existing data, then run `parley migrate up`, or start a server, which migrates.',
  );
});
