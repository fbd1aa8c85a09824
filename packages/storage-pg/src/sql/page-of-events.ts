/**
 * Of the events that `select` gives, those up to the one that brings their texts to `maxBytes`. Sizes are read without
 * the texts themselves, which are large and kept apart.
 *
 * @param select gives seq, hash and body
 * @param maxBytes the place of the parameter
 */
export const pageOf = (select: string, maxBytes: string): string => `
select seq, hash, body from (
  select page.*, sum(octet_length(body)) over (order by seq) - octet_length(body) as bytes_before
  from (${select}) page) counted
where bytes_before < ${maxBytes}::bigint`;
