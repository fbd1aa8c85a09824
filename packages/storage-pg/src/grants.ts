/**
 * SQL that makes the statements which copy the grants of one table to another. Leaves out the implicit grants of the owner.
 *
 * @param to parameter that names the table which gets the grants, such as `$1::text`
 * @param like parameter that names the table from which they are copied
 */
export const grantsLike = (to: string, like: string): string => `
select format('grant %s on %s to %s', a.privilege_type, ${to},
  case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end) as definition
from pg_class c, aclexplode(c.relacl) a
where c.oid = ${like}::regclass and a.grantee <> c.relowner`;
