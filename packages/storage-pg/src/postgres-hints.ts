import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { type HintLink, openHintLink } from './hint-link.ts';
import { packHints, readHint } from './hint-payload.ts';
import type { HintListener, Hints } from './hints.ts';

const COALESCE_MS = 10;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;
/** More than this unsent means that the connection is away: "any session" says it shorter. */
const PENDING_MAX = 10_000;

/**
 * Hints by LISTEN and NOTIFY on a connection of their own, opened on first use and again whenever it broke. After
 * each opening the listeners hear `[]`: any session may have changed unheard.
 *
 * Hints go out coalesced and never inside an append: a NOTIFY in a transaction takes a lock of the whole server.
 */
export function openPostgresHints(connection: ClientConfig, channel: string): Hints {
  const origin = randomUUID();
  const listeners = new Set<HintListener>();
  const closing = new AbortController();
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let link: HintLink | undefined;
  let running: Promise<void> | undefined;

  function hear(payload: string): void {
    const sessionIds = readHint(payload, origin);
    if (sessionIds !== null) tell(sessionIds);
  }

  function tell(sessionIds: readonly string[]): void {
    for (const listener of listeners) listener(sessionIds);
  }

  async function keepLinked(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      link = await openHintLink(connection, channel, hear).catch(() => undefined);
      failures = link === undefined ? failures + 1 : 0;
      if (link !== undefined) {
        setImmediate(tell, []);
        scheduleFlush();
        await link.untilLost(closing.signal);
        link = undefined;
      }
      await rest(failures, closing.signal);
    }
  }

  function scheduleFlush(): void {
    if (link !== undefined && pending.size > 0) timer ??= setTimeout(flush, COALESCE_MS).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (link === undefined || pending.size === 0) return;
    const payloads = packHints(origin, pending.size > PENDING_MAX ? [] : [...pending]);
    pending = new Set();
    await link.notify(payloads);
  }

  return {
    onHint(listener) {
      const own: HintListener = (sessionIds) => listener(sessionIds);
      listeners.add(own);
      running ??= keepLinked();
      return () => listeners.delete(own);
    },
    hint(sessionIds) {
      for (const sessionId of sessionIds) if (pending.size <= PENDING_MAX) pending.add(sessionId);
      running ??= keepLinked();
      scheduleFlush();
    },
    async close() {
      listeners.clear();
      await flush();
      closing.abort();
      if (link !== undefined) await running;
    },
  };
}

/** Waits longer after each failure, and never in step with other processes. */
async function rest(failures: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failures);
  const delay = longest * (0.5 + Math.random() / 2);
  await pause(delay, undefined, { signal, ref: false }).catch(() => undefined);
}
