import type { Append, LogTail, RateCount } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import { ConnectionLost, isConflict, isUnavailable, StatementRefused } from '../database/failures.ts';
import type { Tables } from '../database/tables.ts';
import type { FetchRequest } from '../sql/sessions.ts';
import type { SessionStatements } from '../sql/statements.ts';
import { type BatchSettings, openBatcher } from './batcher.ts';

interface WindowCount {
  readonly bucket: string;
  readonly windowMs: number;
  readonly n: number;
}

interface WindowTotal extends WindowCount {
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
async function countWindows(database: Database, counts: readonly WindowCount[]): Promise<readonly WindowTotal[]> {
  const values = [counts.map(({ bucket }) => bucket), counts.map(({ windowMs }) => windowMs), counts.map(({ n }) => n)];
  const rows = await write<TotalRow>(database, { name: 'parley_count', text: countText(database.tables), values });
  return rows.map(({ bucket, window_ms, win, n }) => ({ bucket, windowMs: window_ms, window: Number(win), n }));
}

const forgetText = ({ rate }: Tables): string => `delete from ${rate} where window_ms = $1 and win < $2`;

/** Deletes the counts of all windows before the window `before`. */
async function forgetWindows(database: Database, windowMs: number, before: number): Promise<void> {
  await write(database, { text: forgetText(database.tables), values: [windowMs, before] });
}

type Send<Q, A> = (group: readonly Q[]) => Promise<readonly A[]>;

/**
 * Sends a batch. If the database refuses the batch, sends each request separately, so that one bad request does not
 * make the others fail. If the database is unavailable, sends nothing again.
 */
async function settleGroup<Q, A>(group: readonly Q[], send: Send<Q, A>): Promise<PromiseSettledResult<A>[]> {
  try {
    const answers = await send(group);
    return answers.map((value) => ({ status: 'fulfilled', value }));
  } catch (error) {
    if (!(error instanceof StatementRefused) || isUnavailable(error) || group.length === 1) throw error;
  }
  const outcomes: PromiseSettledResult<A>[] = [];
  for (const one of group) outcomes.push(...(await Promise.allSettled([sendAlone(one, send)])));
  return outcomes;
}

async function sendAlone<Q, A>(one: Q, send: Send<Q, A>): Promise<A> {
  const [answer] = await send([one]);
  if (answer === undefined) throw new Error('the statement returned no result for a request');
  return answer;
}

type AppendAnswer = 'appended' | 'refused';

/**
 * Batches appends. A session has at most one append in flight, because only one of two appends to the same head could
 * win.
 */
export function openAppendBatcher(
  database: Database,
  { append }: SessionStatements,
  settings: BatchSettings,
): (append: Append) => Promise<AppendAnswer> {
  return openBatcher<Append, AppendAnswer>(settings, {
    keyOf: ({ sessionId }) => sessionId,
    charsOf,
    send: (group) => settleGroup(group, (members) => answersTo(members, append(database, members))),
  });
}

/**
 * Converts the result of a batch to one answer for each append. If a batch of one append conflicts with another
 * transaction, the answer is `refused`. If a larger batch conflicts, rejects, and `settleGroup` sends each append of
 * the batch separately.
 */
async function answersTo(
  group: readonly Append[],
  sent: Promise<readonly boolean[]>,
): Promise<readonly AppendAnswer[]> {
  try {
    return (await sent).map((hasWon) => (hasWon ? 'appended' : 'refused'));
  } catch (error) {
    if (group.length === 1 && isConflict(error)) return ['refused'];
    throw error;
  }
}

function charsOf({ events, documents }: Append): number {
  return [...events, ...documents].reduce((chars, { body }) => chars + body.length, 0);
}

interface CountRequest {
  readonly windowMs: number;
  readonly counts: readonly RateCount[];
}

const windowKeyOf = ({ windowMs, bucket }: Omit<WindowCount, 'n'>): string => `${windowMs} ${bucket}`;

/**
 * Batches the counts of rate limits. The statement has one row for each bucket, even if several calls count in the
 * bucket. Each call gets the bucket's total directly after its own count.
 */
export function openCountBatcher(
  database: Database,
  settings: BatchSettings,
): (request: CountRequest) => Promise<readonly RateCount[]> {
  const forget = forgetOldWindows(database);
  return openBatcher<CountRequest, readonly RateCount[]>(settings, {
    send: (group) =>
      settleGroup(group, async (members) => {
        const totals = await countWindows(database, sumUp(members));
        await forget(totals);
        return divide(members, totals);
      }),
  });
}

function sumUp(group: readonly CountRequest[]): readonly WindowCount[] {
  const sums = new Map<string, WindowCount>();
  for (const { windowMs, counts } of group) {
    for (const { bucket, n } of counts) {
      const key = windowKeyOf({ windowMs, bucket });
      sums.set(key, { windowMs, bucket, n: n + (sums.get(key)?.n ?? 0) });
    }
  }
  return [...sums.values()];
}

/**
 * Returns for each call its buckets, each with the total directly after that call's count. `totals` are the totals
 * after the whole batch.
 */
function divide(group: readonly CountRequest[], totals: readonly WindowTotal[]): readonly (readonly RateCount[])[] {
  const running = new Map(totals.map((total) => [windowKeyOf(total), total.n]));
  for (const sum of sumUp(group)) running.set(windowKeyOf(sum), (running.get(windowKeyOf(sum)) ?? 0) - sum.n);
  return group.map(({ windowMs, counts }) =>
    counts.map(({ bucket, n }) => {
      const total = (running.get(windowKeyOf({ windowMs, bucket })) ?? 0) + n;
      running.set(windowKeyOf({ windowMs, bucket }), total);
      return { bucket, n: total };
    }),
  );
}

/**
 * Returns a function that deletes old windows when a new window has begun. If the deletion fails, it is tried again
 * when the next window begins.
 */
function forgetOldWindows(database: Database): (totals: readonly WindowTotal[]) => Promise<void> {
  const current = new Map<number, number>();
  return async (totals) => {
    for (const { windowMs, window } of totals) {
      if (current.get(windowMs) === window) continue;
      current.set(windowMs, window);
      await forgetWindows(database, windowMs, window).catch((error: unknown) => {
        if (!(error instanceof StatementRefused || error instanceof ConnectionLost)) throw error;
      });
    }
  };
}

const fetchKeyOf = ({ sessionId, after, skipIfMoreThan }: FetchRequest): string =>
  `${after} ${skipIfMoreThan} ${sessionId}`;

/**
 * Batches fetches. Equal requests share a fetch that was not sent yet. They cannot share a fetch in flight, because it
 * may have read the head before they arrived.
 */
export function openFetchBatcher(
  database: Database,
  { fetch }: SessionStatements,
  settings: BatchSettings,
): (request: FetchRequest) => Promise<LogTail | null> {
  const unsent = new Map<string, Promise<LogTail | null>>();
  const submit = openBatcher<FetchRequest, LogTail | null>(settings, {
    send(group) {
      for (const request of group) unsent.delete(fetchKeyOf(request));
      return settleGroup(group, (members) => fetch(database, members));
    },
  });
  return (request) => {
    const key = fetchKeyOf(request);
    const answer = unsent.get(key) ?? submit(request);
    unsent.set(key, answer);
    return answer;
  };
}
