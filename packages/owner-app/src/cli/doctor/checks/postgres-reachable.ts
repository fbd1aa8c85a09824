import type { Check } from '../check.ts';
import { settingsOf } from '../check.ts';
import { broken, fine } from '../result.ts';

const OLDEST = 15;

export const postgresReachable: Check = {
  name: 'PostgreSQL',
  async look({ settings, postgres, postgresFault }) {
    if (!settings.databaseUrl) return undefined;
    if (!postgres)
      return broken(`not reached: ${postgresFault}`, 'Check DATABASE_URL, that the server runs, and what is between.');
    const values = await settingsOf(postgres, ['server_version', 'server_version_num', 'server_encoding']);
    const version = values.get('server_version') ?? '';
    if (Number(values.get('server_version_num')) < OLDEST * 10_000)
      return broken(`PostgreSQL ${version} is too old`, `Upgrade the server to ${OLDEST} or newer.`);
    if (values.get('server_encoding') !== 'UTF8')
      return broken(
        `the database has encoding ${values.get('server_encoding')}`,
        "Make one with: create database parley encoding 'UTF8' template template0",
      );
    const [row] = await postgres.rows('select pg_is_in_recovery() as standby');
    if (row?.standby === true)
      return broken('this is a standby, which takes no writes', 'Point DATABASE_URL to the primary.');
    return fine(`PostgreSQL ${version}`);
  },
};
