import type { HintLink } from './hint-link.ts';
import { packHints } from './hint-payload.ts';

/** Minimum milliseconds between two messages with hints, so that a process sends at most 100 of them in a second. */
const COALESCE_MS = 10;
/**
 * Maximum number of unsent hints. If there are more, the connection is probably broken, and an empty list of hints
 * replaces them. A process that receives an empty list looks at all sessions.
 */
const PENDING_MAX = 10_000;

export interface HintOutbox {
  add(sessionIds: readonly string[]): void;
  /** Sends hints over this connection from now on. If `link` is undefined, hints wait for the next connection. */
  use(link: HintLink | undefined): void;
  /** Sends all waiting hints at once. */
  flush(): Promise<void>;
}

/**
 * Creates the outbox for hints about sessions. A hint is sent immediately. If the last hints were sent less than 10 ms
 * ago, hints are collected instead and sent together.
 */
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

/**
 * Runs a task after `ms` milliseconds, or in the next iteration of the event loop if `ms` is 0.
 *
 * @returns the function that cancels the task
 */
function runAfter(ms: number, task: () => Promise<void>): () => void {
  if (ms > 0) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  }
  // `unref` is not called, because an idle process would then send the hints only at its next request or timer.
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}
