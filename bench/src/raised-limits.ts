import type { Limits } from '@parley/core';

/** Limits that no load of the benches reaches. Calls are still counted, at the usual cost. */
export const RAISED_LIMITS: Partial<Limits> = {
  perToken: 1_000_000_000,
  perAddress: 1_000_000_000,
  redeemPerAddress: 1_000_000_000,
};
