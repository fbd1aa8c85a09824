import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

export interface WindowCount {
  readonly bucket: string;
  readonly windowMs: number;
  readonly n: number;
}

export interface WindowTotal extends WindowCount {
  /** The number of the window, counted from the epoch by the clock of the database. */
  readonly window: number;
}

interface TotalRow {
  readonly bucket: string;
  readonly window_ms: number;
  /** The number of the window. The driver returns it as text, because it is a bigint. */
  readonly win: string;
  readonly n: number;
}

/** SQL that adds to the counters of rate limits. Locks rows in a fixed order, so that two processes cannot deadlock. */
const countText = ({ rate }: Tables): string => `
insert into ${rate} as r (bucket, window_ms, win, n)
select u.bucket, u.window_ms, floor(extract(epoch from statement_timestamp()) * 1000 / u.window_ms)::bigint, u.n
from unnest($1::text[], $2::int[], $3::int[]) as u(bucket, window_ms, n)
order by u.bucket, u.window_ms
on conflict (bucket, window_ms, win) do update set n = r.n + excluded.n
returning r.bucket, r.window_ms, r.win, r.n`;

/**
 * Adds to the counters of rate limits, and returns the new totals of these counters.
 *
 * @param counts contains each bucket and window length at most once
 */
export async function countWindows(
  database: Database,
  counts: readonly WindowCount[],
): Promise<readonly WindowTotal[]> {
  const values = [counts.map(({ bucket }) => bucket), counts.map(({ windowMs }) => windowMs), counts.map(({ n }) => n)];
  const rows = await write<TotalRow>(database, { name: 'parley_count', text: countText(database.tables), values });
  return rows.map(({ bucket, window_ms, win, n }) => ({ bucket, windowMs: window_ms, window: Number(win), n }));
}

const forgetText = ({ rate }: Tables): string => `delete from ${rate} where window_ms = $1 and win < $2`;

/** Deletes the counts of all windows before the window `before`. */
export async function forgetWindows(database: Database, windowMs: number, before: number): Promise<void> {
  await write(database, { text: forgetText(database.tables), values: [windowMs, before] });
}
