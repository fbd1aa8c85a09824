import type { Check } from '../check.ts';
import { settingsOf } from '../check.ts';
import { fail, pass } from '../result.ts';

const OLDEST = 15;

export const postgresReachable: Check = {
  name: 'PostgreSQL',
  async run({ settings, postgres, postgresFault }) {
    if (!settings.databaseUrl) return undefined;
    if (!postgres)
      return fail(
        `the PostgreSQL at DATABASE_URL cannot be reached: ${postgresFault}`,
        'Check that DATABASE_URL is right, that the server runs, and that this machine can connect to it.',
      );
    const values = await settingsOf(postgres, ['server_version', 'server_version_num', 'server_encoding']);
    const version = values.get('server_version') ?? '';
    if (Number(values.get('server_version_num')) < OLDEST * 10_000)
      return fail(`PostgreSQL ${version} is too old`, `Upgrade the server to PostgreSQL ${OLDEST} or newer.`);
    if (values.get('server_encoding') !== 'UTF8')
      return fail(
        `the database has the encoding ${values.get('server_encoding')}, but Parley needs UTF8`,
        "Create another database and point DATABASE_URL to it: create database parley_utf8 encoding 'UTF8' template template0",
      );
    const [row] = await postgres.rows('select pg_is_in_recovery() as standby');
    if (row?.standby === true)
      return fail(
        'DATABASE_URL leads to a standby, which refuses writes',
        'Set DATABASE_URL to the address of the primary.',
      );
    return pass(`PostgreSQL ${version}`);
  },
};
