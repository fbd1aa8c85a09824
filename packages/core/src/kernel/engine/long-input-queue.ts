/** Maximum length of a text that is parsed at once, in characters. Parsing it takes less than a millisecond. */
const SHORT_TEXT = 8_192;

/** The order in which long inputs are parsed and processed. */
export interface LongInputQueue {
  /**
   * Resolves when the caller may parse its text. A short text may be parsed immediately. In each iteration of the event
   * loop, only one long text is parsed. The holders take turns, so that a holder of many long texts does not delay the other
   * holders.
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
