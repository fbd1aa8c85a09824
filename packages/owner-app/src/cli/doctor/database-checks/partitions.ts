import { onPostgres } from '../check.ts';
import { fail, pass } from '../result.ts';

const PARTITIONED = `
  select c.relname as name, count(i.inhrelid)::int as parts, coalesce(sum(1.0 / nullif(
      substring(pg_get_expr(p.relpartbound, p.oid) from 'modulus (\\d+)')::numeric, 0)), 0)::float8 as share
  from pg_partitioned_table t
  join pg_class c on c.oid = t.partrelid and c.relnamespace = 'public'::regnamespace and c.relname like 'parley\\_%'
  left join pg_inherits i on i.inhparent = c.oid
  left join pg_class p on p.oid = i.inhrelid
  where t.partstrat = 'h'
  group by c.relname order by c.relname`;

/**
 * Checks whether a partitioned table lacks a partition. Sessions that belong to a missing partition cannot be written.
 */
export const partitions = onPostgres('partitions', async (postgres) => {
  const tables = await postgres.rows(PARTITIONED);
  if (tables.length === 0) return undefined;
  const gap = tables.find(({ share }) => Math.abs(Number(share) - 1) > 1e-9);
  if (gap)
    return fail(
      `the table ${gap.name} lacks partitions; number of its partitions: ${gap.parts}`,
      'Create the partitions whose remainder is missing (\\d+ in psql shows the existing ones), or restore the backup.',
    );
  return pass(tables.map(({ name, parts }) => `${name} in ${parts}`).join(', '));
});
