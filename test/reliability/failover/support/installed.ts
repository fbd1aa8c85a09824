import { findPrograms } from '../../../../scripts/servers/postgres-programs.ts';

const NEEDED = ['initdb', 'postgres', 'pg_basebackup'];

/**
 * Whether this machine can run a primary and a standby. If not, prints what is missing or, with `REQUIRE_POSTGRES=1`,
 * throws.
 */
export function hasPair(): boolean {
  if (findPrograms(NEEDED) !== undefined) return true;
  const missing =
    NEEDED.filter((name) => findPrograms([name]) === undefined).join(', ') || 'one folder with all of them';
  const words = `Failover is not tested. It needs ${NEEDED.join(', ')} of PostgreSQL 15 or newer; missing: ${missing}.`;
  if (process.env.REQUIRE_POSTGRES === '1') throw new Error(words);
  console.log(words);
  return false;
}
