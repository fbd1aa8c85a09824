import type { OwnerLimits } from '../kernel/engine/owner-allowances.ts';
import type { OwnerUse } from '../kernel/storage/storage.ts';

export const LIMITS = ['sessions', 'events', 'bytes'] as const;

/** The limits after a change: a limit that is left out stays, and null removes it. */
export function changedLimits(
  before: OwnerLimits,
  wanted: { readonly [limit in keyof OwnerUse]?: number | null | undefined },
): OwnerLimits {
  const limits = LIMITS.flatMap((limit) => {
    const value = wanted[limit] === undefined ? before[limit] : wanted[limit];
    return value === undefined || value === null ? [] : [[limit, value] as const];
  });
  return Object.fromEntries(limits);
}
