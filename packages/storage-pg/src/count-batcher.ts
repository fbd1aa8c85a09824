import type { RateCount } from '@parley/core';
import { type BatchSettings, openBatcher } from './batcher.ts';
import type { Database } from './database.ts';
import { ConnectionLost, StatementRefused } from './failures.ts';
import { settleGroup } from './settle-group.ts';
import { countWindows, type WindowCount, type WindowTotal } from './sql/count-windows.ts';
import { forgetWindows } from './sql/forget-windows.ts';

interface CountRequest {
  readonly windowMs: number;
  readonly counts: readonly RateCount[];
}

const keyOf = ({ windowMs, bucket }: Omit<WindowCount, 'n'>): string => `${windowMs} ${bucket}`;

/**
 * Batches counts. The statement has one row for each bucket, however many calls count in it. Each call gets the total as it is
 * after its own count.
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

/** Computes the total for each call, in the order of the calls. Begins with the totals from before the batch. */
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
 * Returns a function that deletes old windows when a new one has begun. It ignores errors, because the counts were stored: at
 * the start of the next window the deletion is tried again.
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
