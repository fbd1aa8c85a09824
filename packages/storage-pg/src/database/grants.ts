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
