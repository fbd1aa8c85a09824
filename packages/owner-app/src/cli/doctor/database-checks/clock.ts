import { numberOf, onPostgres } from '../check.ts';
import { pass, type Result, warn } from '../result.ts';

const MOST_MS = 2_000;

/**
 * Checks whether the clocks of this machine and of the database agree. The times of events come from this machine; the time
 * windows of shared rate limits come from the database.
 */
export const clock = onPostgres('clock', async (postgres) => {
  const before = Date.now();
  const there = await numberOf(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  return judgeClock(there, { before, after, place: 'the database' });
});

/** Times of this machine before and after a query, in milliseconds, and the name of the server that ran the query. */
interface Asked {
  readonly before: number;
  readonly after: number;
  readonly place: string;
}

/** Compares the time of a database, in milliseconds, with the times of this machine. */
export function judgeClock(there: number, { before, after, place }: Asked): Result {
  const ahead = Math.max(there - after, before - there, 0);
  const direction = there > after ? 'ahead of' : 'behind';
  if (ahead <= MOST_MS) return pass(`the clocks of this machine and of ${place} differ by less than two seconds`);
  return warn(
    `the clock of ${place} is ${(ahead / 1000).toFixed(1)} s ${direction} this machine`,
    'Run a time service such as chrony on both machines.',
  );
}
