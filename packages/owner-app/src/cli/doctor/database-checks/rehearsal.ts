import { readPostgresSchema, rehearsePostgres } from '@parley/storage-pg';
import { onPostgres } from '../check.ts';
import { reasonOf } from '../reason.ts';
import { fail, pass } from '../result.ts';

/** Creates a session as the service does, lists it and rolls back. */
export const rehearsal = onPostgres('writes', async (_postgres, { settings }) => {
  const database = { connectionString: settings.databaseUrl ?? '' };
  const { version, newest } = await readPostgresSchema(database);
  if (version !== newest) return undefined;
  try {
    return (await rehearsePostgres(database)) ? pass('a session was created, listed and rolled back') : undefined;
  } catch (error) {
    return fail(
      `a session cannot be created and listed: ${reasonOf(error)}`,
      'Check what the server, the role and the database set: select * from pg_db_role_setting. Behind a pooler, Parley cannot override it; set right values for the database user, or in connect_query of PgBouncer.',
    );
  }
});
