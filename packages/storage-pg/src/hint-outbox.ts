import type { HintLink } from './hint-link.ts';
import { packHints } from './hint-payload.ts';

/** Milliseconds between two sendings: limits a process to 100 sendings a second, however much it writes. */
const COALESCE_MS = 10;
/**
 * Maximum number of unsent hints. Above it the connection is probably down, and one hint "any session" replaces them.
 */
const PENDING_MAX = 10_000;

export interface HintOutbox {
  add(sessionIds: readonly string[]): void;
  /** Sends through this connection from now on; without a connection keeps the hints. */
  use(link: HintLink | undefined): void;
  /** Sends all waiting hints at once. */
  flush(): Promise<void>;
}

/** Sends session ids at once, or together with others that arrive shortly after the last sending. */
export function openHintOutbox(origin: string): HintOutbox {
  let link: HintLink | undefined;
  let pending = new Set<string>();
  let cancel: (() => void) | undefined;
  let nextAt = 0;

  async function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    if (link === undefined || pending.size === 0) return;
    const payloads = packHints(origin, pending.size > PENDING_MAX ? [] : [...pending]);
    pending = new Set();
    nextAt = performance.now() + COALESCE_MS;
    await link.notify(payloads);
  }

  function schedule(): void {
    if (link !== undefined && pending.size > 0) cancel ??= runAfter(nextAt - performance.now(), flush);
  }

  return {
    add(sessionIds) {
      for (const sessionId of sessionIds) if (pending.size <= PENDING_MAX) pending.add(sessionId);
      schedule();
    },
    use(next) {
      link = next;
      schedule();
    },
    flush,
  };
}

/** @returns the function that cancels the task */
function runAfter(ms: number, task: () => Promise<void>): () => void {
  if (ms > 0) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  }
  // Not unref'ed: otherwise an idle process would send the hints only with its next request or timer.
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}
