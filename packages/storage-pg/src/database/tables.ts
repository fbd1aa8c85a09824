/** The names of the tables with their schema. No statement depends on a search path, because a pooler may reset it. */
export interface Tables {
  readonly schema: string;
  readonly session: string;
  readonly event: string;
  readonly document: string;
  readonly snapshot: string;
  readonly presence: string;
  readonly rate: string;
  readonly meta: string;
}

/**
 * The tables in which each row belongs to one session. Their keys begin with the session id. Each row of `session` is a
 * head row: it holds the head of a session's log.
 */
export const SESSION_TABLES = [
  'session',
  'event',
  'document',
  'snapshot',
  'presence',
] as const satisfies readonly (keyof Tables)[];

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,47}$/;

export function tablesIn(schema: string): Tables {
  if (!SCHEMA_NAME.test(schema)) {
    throw new TypeError('The schema name must be 1 to 48 lower-case letters, digits and underscores.');
  }
  const table = (name: string): string => `"${schema}".parley_${name}`;
  return {
    schema,
    session: table('session'),
    event: table('event'),
    document: table('document'),
    snapshot: table('snapshot'),
    presence: table('presence'),
    rate: table('rate'),
    meta: table('meta'),
  };
}

/**
 * SQL that reads the grants of a table and makes GRANT statements for another table. Leaves out the grants that the
 * owner of the table has anyway.
 *
 * @param to parameter with the name of the table that gets the grants, such as `$1::text`
 * @param like parameter with the name of the table whose grants are copied
 */
export const grantsLike = (to: string, like: string): string => `
select format('grant %s on %s to %s', a.privilege_type, ${to},
  case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end) as definition
from pg_class c, aclexplode(c.relacl) a
where c.oid = ${like}::regclass and a.grantee <> c.relowner`;
