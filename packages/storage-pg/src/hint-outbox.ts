import type { HintLink } from './hint-link.ts';
import { packHints } from './hint-payload.ts';

/** What comes sooner after the last sending is sent together: however much is written, it is 100 sendings a second. */
const COALESCE_MS = 10;
/** More than this unsent means that the connection is away: "any session" says it shorter. */
const PENDING_MAX = 10_000;

export interface HintOutbox {
  add(sessionIds: readonly string[]): void;
  /** Sends through this connection from now on, or keeps what comes until there is one. */
  use(link: HintLink | undefined): void;
  /** Sends at once what waits. */
  flush(): Promise<void>;
}

/** Sends session ids at once, or together with those of the moment after the last sending. */
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

/** @returns what cancels it */
function runAfter(ms: number, task: () => Promise<void>): () => void {
  if (ms > 0) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  }
  // Not unref: an idle process would come to it only with the next request or timer.
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}
