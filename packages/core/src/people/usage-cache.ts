import type { Clock } from '../kernel/clock.ts';
import { ownerUsage } from '../kernel/engine/owner-usage.ts';
import type { OwnerUse, Storage } from '../kernel/storage/storage.ts';

/** Milliseconds for which the counts of an account are kept. Counting its bytes reads the length of each event. */
const KEPT_MS = 5_000;

/** Returns a function that counts the sessions, events and bytes of an account, at most every 5 s for each account. */
export function createUsageCache(
  storage: Pick<Storage, 'usage'>,
  clock: Clock,
): (accountId: string) => Promise<OwnerUse> {
  const counts = new Map<string, { readonly at: number; readonly use: Promise<OwnerUse> }>();
  return (accountId) => {
    const known = counts.get(accountId);
    if (known && clock.now() - known.at < KEPT_MS) return known.use;
    const use = ownerUsage(storage, accountId);
    counts.set(accountId, { at: clock.now(), use });
    use.catch(() => counts.delete(accountId));
    return use;
  };
}
