import type { Limits } from '@parley/core';

/** Rate limits that no bench reaches. Requests are still counted, which takes as long as with the default limits. */
export const RAISED_LIMITS: Partial<Limits> = {
  perToken: 1_000_000_000,
  perAddress: 1_000_000_000,
  redeemPerAddress: 1_000_000_000,
  perPerson: 1_000_000_000,
};
