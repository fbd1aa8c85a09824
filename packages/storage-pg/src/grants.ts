/**
 * SQL that copies the grants of one table to another, except the owner's implicit ones.
 *
 * @param to parameter that names the table, such as `$1::text`
 * @param like parameter that names the other one
 */
export const grantsLike = (to: string, like: string): string => `
select format('grant %s on %s to %s', a.privilege_type, ${to},
  case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end) as definition
from pg_class c, aclexplode(c.relacl) a
where c.oid = ${like}::regclass and a.grantee <> c.relowner`;
