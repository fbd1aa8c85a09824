import { numberOf, onPostgres } from '../check.ts';
import { pass, type Result, warn } from '../result.ts';

const MOST_MS = 2_000;

/**
 * Checks whether the clocks of this machine and of the database agree. This machine sets the times of events; the
 * database sets the time windows of shared rate limits.
 */
export const clock = onPostgres('clock', async (postgres) => {
  const before = Date.now();
  const there = await numberOf(postgres, 'select extract(epoch from clock_timestamp()) * 1000');
  const after = Date.now();
  return judgeClock(there, { before, after, place: 'the database' });
});

/**
 * The times of this machine before and after a query, in milliseconds, and the name of the server that ran the query.
 */
interface Asked {
  readonly before: number;
  readonly after: number;
  readonly place: string;
}

/** Compares the time of a server, in milliseconds, with the times of this machine before and after the query. */
export function judgeClock(there: number, { before, after, place }: Asked): Result {
  const ahead = Math.max(there - after, before - there, 0);
  const direction = there > after ? 'ahead of' : 'behind';
  if (ahead <= MOST_MS) return pass(`the clocks of this machine and of ${place} differ by less than two seconds`);
  return warn(
    `the clock of ${place} is ${(ahead / 1000).toFixed(1)} s ${direction} this machine`,
    'Run a time service such as chrony on both machines.',
  );
}
