import { fail } from '../errors.ts';

export interface HeavyCallsOptions {
  /** Maximum number of calls that run at the same time. Default 2. */
  readonly atOnce?: number;
  /** Maximum number of calls of one holder that run or wait. Default: any number. */
  readonly ofHolder?: number;
  /** The calls as a plural noun phrase, for the error message. */
  readonly what?: string;
}

export interface HeavyCalls {
  /**
   * Runs a call as soon as fewer than `atOnce` other calls are running. Holders that wait take turns, so that many
   * calls of one holder do not delay the others; the calls of one holder begin in the order in which they arrived.
   *
   * @param holder identifies the caller, such as by the hash of the token
   * @throws ParleyError RATE_LIMITED if `ofHolder` calls of this holder already wait or run
   */
  run<T>(holder: string, call: () => Promise<T>): Promise<T>;
}

/** Creates a queue for expensive calls, such as validations of a contract. */
export function createHeavyCalls({
  atOnce = 2,
  ofHolder = Number.POSITIVE_INFINITY,
  what = 'your calls',
}: HeavyCallsOptions = {}): HeavyCalls {
  const counts = new Map<string, number>();
  /** The waiting calls by holder. The holder whose turn is next comes first. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  const enter = async (holder: string): Promise<void> => {
    if (running < atOnce) running += 1;
    else
      await new Promise<void>((resolve) => {
        const queue = queues.get(holder) ?? [];
        queue.push(resolve);
        queues.set(holder, queue);
      });
  };
  /** Called when a call has ended: starts the first call of the next holder, or frees the place if no call waits. */
  const leave = (): void => {
    const [first] = queues;
    if (!first) {
      running -= 1;
      return;
    }
    const [holder, queue] = first;
    const next = queue.shift();
    queues.delete(holder);
    if (queue.length > 0) queues.set(holder, queue);
    next?.();
  };
  const count = (holder: string, by: 1 | -1): void => {
    const left = (counts.get(holder) ?? 0) + by;
    if (left > 0) counts.set(holder, left);
    else counts.delete(holder);
  };

  return {
    async run(holder, call) {
      if ((counts.get(holder) ?? 0) >= ofHolder)
        fail('RATE_LIMITED', `${ofHolder} of ${what} are still running, which is the limit.`, {
          retry_after_seconds: 1,
        });
      count(holder, 1);
      await enter(holder);
      try {
        return await call();
      } finally {
        leave();
        count(holder, -1);
      }
    },
  };
}
