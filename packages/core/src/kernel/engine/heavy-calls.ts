import { fail } from '../errors.ts';

/** Maximum number of expensive calls, such as validations of a contract, that run at the same time in one process. */
const AT_ONCE = 2;
/**
 * Maximum number of expensive calls with the same token that run or wait. A waiting call keeps its parsed input in
 * memory, which can take 20 times the memory of its text.
 */
const MOST_OF_A_HOLDER = 8;

export interface HeavyCalls {
  /**
   * Runs a call as soon as fewer than two other calls are running. Waiting calls begin in the order in which they
   * arrived.
   * @param holder identifies the caller, such as by the hash of the token
   * @throws ParleyError RATE_LIMITED if eight calls of this holder already wait or run
   */
  run<T>(holder: string, call: () => Promise<T>): Promise<T>;
}

export function createHeavyCalls(): HeavyCalls {
  const counts = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < AT_ONCE) running += 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  /** Called when a call has ended: starts the call that has waited longest, or frees the place if no call waits. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  const count = (holder: string, by: 1 | -1): void => {
    const left = (counts.get(holder) ?? 0) + by;
    if (left > 0) counts.set(holder, left);
    else counts.delete(holder);
  };

  return {
    async run(holder, call) {
      if ((counts.get(holder) ?? 0) >= MOST_OF_A_HOLDER)
        fail(
          'RATE_LIMITED',
          `${MOST_OF_A_HOLDER} of your calls that contain a contract are still running, which is the limit.`,
          {
            retry_after_seconds: 1,
          },
        );
      count(holder, 1);
      await enter();
      try {
        return await call();
      } finally {
        leave();
        count(holder, -1);
      }
    },
  };
}
