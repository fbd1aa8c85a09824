/** Texts with at most this many characters are parsed at once, which takes less than a millisecond. */
const SHORT_TEXT = 8_192;

/** Schedules the parsing and processing of long inputs. */
export interface LongInputQueue {
  /**
   * Resolves at once for a short text. A long text waits: each iteration of the event loop parses one long text, of each holder
   * in turn. So requests of other holders are served in between, however many long texts one holder sends.
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
