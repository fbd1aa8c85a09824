import { fail } from '../errors.ts';

/** Calls that take much work, such as the validation of a contract, run two at a time in a process. */
const AT_ONCE = 2;
/** Each waiting call keeps its input, which can take 20 times the memory of its text. */
const MOST_OF_A_HOLDER = 8;

export interface HeavyCalls {
  /**
   * Runs a call when its turn comes, in the order of arrival.
   *
   * @throws ParleyError RATE_LIMITED when eight calls of the same holder wait or run
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
  /** Hands the place to the call that waits longest. */
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
        fail('RATE_LIMITED', `${MOST_OF_A_HOLDER} of your calls with a contract are under way.`, {
          retry_after_seconds: 1,
        });
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
