import { readPostgresSchema } from '@parley/storage-pg';
import { onPostgres } from '../check.ts';
import { fail, pass, warn } from '../result.ts';

export const schema = onPostgres('tables', async (_postgres, { settings }) => {
  const standing = await readPostgresSchema({ connectionString: settings.databaseUrl ?? '' });
  const { version, newest } = standing;
  if (version === newest) return pass(`schema ${version}, up to date`);
  if (version > newest)
    return fail(
      `the tables have schema ${version}, which is newer than schema ${newest} of this program`,
      'Install the version of parley that migrated the tables, or restore a backup.',
    );
  return warn(
    version === 0
      ? 'the database has no tables yet'
      : `the tables have schema ${version}, but this program needs schema ${newest}`,
    'Back up existing data. Then run `parley migrate up`, or start a server, which migrates the tables too.',
  );
});
