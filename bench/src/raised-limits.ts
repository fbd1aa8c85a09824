import type { Limits } from '@parley/core';

/** The rate windows are counted as ever, only that no load reaches them. */
export const RAISED_LIMITS: Partial<Limits> = {
  perToken: 1_000_000_000,
  perAddress: 1_000_000_000,
  redeemPerAddress: 1_000_000_000,
};
