/** A text of at most this many characters is parsed immediately, because parsing takes less than a millisecond. */
const SHORT_TEXT = 8_192;

export interface LongInputQueue {
  /**
   * Resolves when the text of a request, of `chars` characters, may be parsed; returns undefined if the text is short.
   * One long text is parsed in each iteration of the event loop. The holders, which are the senders of the requests,
   * take turns, so that many long texts of one holder do not delay the others.
   */
  next(holder: string, chars: number): Promise<void> | void;
}

export function createLongInputQueue(): LongInputQueue {
  const queues = new Map<string, (() => void)[]>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queues.size === 0) return;
    isScheduled = true;
    setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    const [first] = queues;
    if (!first) return;
    const [holder, queue] = first;
    const start = queue.shift();
    queues.delete(holder);
    if (queue.length > 0) queues.set(holder, queue);
    schedule();
    start?.();
  }

  return {
    next(holder, chars) {
      if (chars <= SHORT_TEXT) return;
      return new Promise<void>((resolve) => {
        const queue = queues.get(holder) ?? [];
        queue.push(resolve);
        queues.set(holder, queue);
        schedule();
      });
    },
  };
}
