/**
 * SQL that returns the rows of `select` in order, until the total size of their texts reaches `maxBytes`. Computes the
 * sizes without reading the texts, because texts are large and stored separately.
 *
 * @param select SQL that returns seq, hash and body
 * @param maxBytes placeholder of the parameter with the maximum size
 */
export const pageOf = (select: string, maxBytes: string): string => `
select seq, hash, body from (
  select page.*, sum(octet_length(body)) over (order by seq) - octet_length(body) as bytes_before
  from (${select}) page) counted
where bytes_before < ${maxBytes}::bigint`;
