import { numberOf, onPostgres } from '../check.ts';
import { pass, warn } from '../result.ts';

const MOST_MS = 2_000;

/** Times of events are this machine's, times of shared rate windows the database's. */
export const clock = onPostgres('clock', async (postgres) => {
  const before = Date.now();
  const there = await numberOf(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  return judgeClock(there, before, after);
});

/** The database looked at its clock at some moment between the two here. */
export function judgeClock(there: number, before: number, after: number) {
  const ahead = Math.max(there - after, before - there, 0);
  const direction = there > after ? 'ahead of' : 'behind';
  if (ahead <= MOST_MS) return pass('the same here and in the database, to two seconds');
  return warn(
    `the clock of the database is ${(ahead / 1000).toFixed(1)} s ${direction} the one here`,
    'Run a time service such as chrony on both machines.',
  );
}
