import type { Limits } from '@parley/core';

/** Rate windows are counted as usual, but no load reaches these limits. */
export const RAISED_LIMITS: Partial<Limits> = {
  perToken: 1_000_000_000,
  perAddress: 1_000_000_000,
  redeemPerAddress: 1_000_000_000,
};
