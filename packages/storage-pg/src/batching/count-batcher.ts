import type { RateCount } from '@parley/core';
import type { Database } from '../database/database.ts';
import { ConnectionLost, StatementRefused } from '../database/failures.ts';
import { countWindows, type WindowCount, type WindowTotal } from '../sql/count-windows.ts';
import { forgetWindows } from '../sql/forget-windows.ts';
import { type BatchSettings, openBatcher } from './batcher.ts';
import { settleGroup } from './settle-group.ts';

interface CountRequest {
  readonly windowMs: number;
  readonly counts: readonly RateCount[];
}

const keyOf = ({ windowMs, bucket }: Omit<WindowCount, 'n'>): string => `${windowMs} ${bucket}`;

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
      const key = keyOf({ windowMs, bucket });
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
  const running = new Map(totals.map((total) => [keyOf(total), total.n]));
  for (const sum of sumUp(group)) running.set(keyOf(sum), (running.get(keyOf(sum)) ?? 0) - sum.n);
  return group.map(({ windowMs, counts }) =>
    counts.map(({ bucket, n }) => {
      const total = (running.get(keyOf({ windowMs, bucket })) ?? 0) + n;
      running.set(keyOf({ windowMs, bucket }), total);
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
