import { numberOf, onPostgres } from '../check.ts';
import { pass, warn } from '../result.ts';

const MOST_MS = 2_000;

/**
 * Checks whether the clock of this machine and the clock of the database agree. Events have the time of this machine; shared
 * rate windows follow the clock of the database.
 */
export const clock = onPostgres('clock', async (postgres) => {
  const before = Date.now();
  const there = await numberOf(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  return judgeClock(there, before, after);
});

/** Compares the time of the database with the times of this machine before and after the query, all in milliseconds. */
export function judgeClock(there: number, before: number, after: number) {
  const ahead = Math.max(there - after, before - there, 0);
  const direction = there > after ? 'ahead of' : 'behind';
  if (ahead <= MOST_MS) return pass('this machine and the database agree within two seconds');
  return warn(
    `the clock of the database is ${(ahead / 1000).toFixed(1)} s ${direction} this machine`,
    'Run a time service such as chrony on both machines.',
  );
}
