import type { HintLink } from './hint-link.ts';
import { packHints } from './hint-payload.ts';

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

/** Collects session ids for a moment and sends them together. */
export function openHintOutbox(origin: string): HintOutbox {
  let link: HintLink | undefined;
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (link === undefined || pending.size === 0) return;
    const payloads = packHints(origin, pending.size > PENDING_MAX ? [] : [...pending]);
    pending = new Set();
    await link.notify(payloads);
  }

  function schedule(): void {
    if (link !== undefined && pending.size > 0) timer ??= setTimeout(flush, COALESCE_MS).unref();
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
