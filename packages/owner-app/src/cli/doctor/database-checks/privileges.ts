import { onPostgres } from '../check.ts';
import { fail, pass, type Result, warn } from '../result.ts';

/**
 * The privileges that the service needs, by table. On a table that is not listed here, the service needs the privileges
 * in `OF_A_SESSION`.
 */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  parley_migration: ['select'],
  parley_migration_lock: ['select'],
  parley_meta: ['select', 'insert'],
  parley_session: ['select', 'insert', 'update', 'delete'],
  parley_rate: ['select', 'insert', 'update', 'delete'],
  parley_snapshot: ['select', 'insert', 'update', 'delete'],
  parley_presence: ['select', 'insert', 'update', 'delete'],
};
const OF_A_SESSION = ['select', 'insert', 'delete'];

const TABLES = `
  select c.relname as name, array(
      select p from unnest(array['select', 'insert', 'update', 'delete']) as p
      where has_table_privilege(c.oid, p)) as granted
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relname like 'parley\\_%' and c.relkind in ('r', 'p')
    and not c.relispartition
  order by 1`;

export const privileges = onPostgres('privileges', async (postgres) => {
  const tables = await postgres.rows(TABLES);
  if (tables.length === 0) return judgeCreation(await postgres.rows(CREATION));
  const lacking = tables.flatMap(({ name, granted }) => {
    const needed = NEEDED[String(name)] ?? OF_A_SESSION;
    const missing = needed.filter((one) => !(Array.isArray(granted) && granted.includes(one)));
    return missing.length > 0 ? [`${missing.join(', ')} on ${String(name)}`] : [];
  });
  if (lacking.length === 0) return pass(`the database user has all necessary privileges on ${tables.length} tables`);
  return fail(
    `missing privileges of the database user: ${lacking.join('; ')}`,
    `Run as the owner of the tables: ${lacking.map((one) => `grant ${one} to <user>;`).join(' ')}`,
  );
});

const CREATION = "select has_schema_privilege('public', 'create') as may_create";

const judgeCreation = ([row]: readonly Readonly<Record<string, unknown>>[]): Result =>
  row?.may_create === true
    ? pass('the database user may create the tables')
    : warn(
        'there are no tables yet, and the database user may not create them',
        'Run `parley migrate up` as a user that may create tables in the schema public. Then run parley doctor again: it prints the grants that the user of DATABASE_URL needs.',
      );
