import { fail } from '@parley/core';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Counts wrong owner keys by client address, in fixed windows of a minute. */
export interface WrongKeyLimit {
  /**
   * Counts an attempt. Called before the key is checked, so that simultaneous attempts are all counted.
   *
   * @throws ParleyError RATE_LIMITED if the address has used up its attempts in this minute
   */
  begin(address: string): void;
  /** Removes an attempt from the count, because its key was right. */
  forgive(address: string): void;
}

/**
 * @param limit number of wrong keys that an address may send in a minute
 * @param now returns the current time in milliseconds since 1970
 */
export function createWrongKeyLimit(limit: number, now: () => number): WrongKeyLimit {
  const tries = new Map<string, number>();
  let window = -1;

  const turnWindow = () => {
    const current = Math.floor(now() / WINDOW_MS);
    if (current !== window) tries.clear();
    window = current;
  };

  return {
    begin(address) {
      turnWindow();
      const count = tries.get(address) ?? (tries.size < MAX_ADDRESSES ? 0 : limit);
      if (count >= limit) refuse((window + 1) * WINDOW_MS - now());
      tries.set(address, count + 1);
    },
    forgive(address) {
      const count = tries.get(address) ?? 0;
      if (count > 1) tries.set(address, count - 1);
      else tries.delete(address);
    },
  };
}

function refuse(remainingMs: number): never {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return fail('RATE_LIMITED', `Too many wrong owner keys; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  });
}
