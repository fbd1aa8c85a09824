import { numberOf, onPostgres } from '../check.ts';
import { pass, warn } from '../result.ts';

const MOST_MS = 2_000;

/** Whether the clocks agree: events have the time of this machine, shared rate windows that of the database. */
export const clock = onPostgres('clock', async (postgres) => {
  const before = Date.now();
  const there = await numberOf(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  return judgeClock(there, before, after);
});

/** Compares the database's time with the times here before and after the query. */
export function judgeClock(there: number, before: number, after: number) {
  const ahead = Math.max(there - after, before - there, 0);
  const direction = there > after ? 'ahead of' : 'behind';
  if (ahead <= MOST_MS) return pass('this machine and the database agree within two seconds');
  return warn(
    `the clock of the database is ${(ahead / 1000).toFixed(1)} s ${direction} this machine`,
    'Run a time service such as chrony on both machines.',
  );
}
