import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backOffMs } from '@parley/core';
import type { HintLink, OpenHintLink } from './hint-link.ts';
import { openHintOutbox } from './hint-outbox.ts';
import { readHint } from './hint-payload.ts';
import type { HintListener, Hints, HintsWatcher } from './hints.ts';

const BACK_OFF = { firstMs: 100, mostMs: 5_000 };

/**
 * Sends and receives hints over their own connection. The connection is opened on first use, and again whenever it
 * breaks. After each opening, the listeners get `[]`, because any session may have changed unnoticed. If the broker is
 * unavailable, no call fails: hints are kept until it can be reached, and the listeners look for changes every ten
 * seconds.
 *
 * Hints are sent in batches, and never inside the transaction of an append, because a NOTIFY in a transaction takes a
 * lock of the whole server.
 */
export function openLinkedHints(open: OpenHintLink, onStatus: HintsWatcher = () => undefined): Hints {
  const origin = randomUUID();
  const outbox = openHintOutbox(origin);
  const listeners = new Set<HintListener>();
  const closing = new AbortController();
  const reportStatus = changesOnly(onStatus);
  let running: Promise<void> | undefined;
  let isLinked = false;

  function notifyListeners(sessionIds: readonly string[]): void {
    for (const listener of listeners) listener(sessionIds);
  }

  function receive(payload: string): void {
    const sessionIds = readHint(payload, origin);
    if (sessionIds !== null) notifyListeners(sessionIds);
  }

  async function useLink(link: HintLink): Promise<void> {
    isLinked = true;
    reportStatus(true);
    outbox.use(link);
    setImmediate(notifyListeners, []);
    await link.untilLost(closing.signal);
    outbox.use(undefined);
    isLinked = false;
  }

  function failed(cause: unknown): undefined {
    if (!closing.signal.aborted) reportStatus(false, cause);
  }

  async function keepLinked(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const link = await open(receive).catch(failed);
      failures = link === undefined ? failures + 1 : 0;
      if (link !== undefined) await useLink(link);
      await rest(failures, closing.signal);
    }
  }

  return {
    onHint(listener) {
      const own: HintListener = (sessionIds) => listener(sessionIds);
      listeners.add(own);
      running ??= keepLinked();
      return () => listeners.delete(own);
    },
    hint(sessionIds) {
      outbox.add(sessionIds);
      running ??= keepLinked();
    },
    async close() {
      listeners.clear();
      await outbox.flush();
      closing.abort();
      // Waits until an open connection has ended. A connection that is still opening ends by itself as soon as it is
      // open.
      if (isLinked) await running;
    },
  };
}

function changesOnly(watcher: HintsWatcher): (isLinked: boolean, cause?: unknown) => void {
  let last: boolean | undefined;
  return (isLinked, cause) => {
    if (isLinked !== last) watcher({ isLinked, ...(cause === undefined ? {} : { cause }) });
    last = isLinked;
  };
}

/**
 * Pauses before the next attempt to connect: for 75 to 100 ms after a connection broke, and for longer after each
 * further failure to connect.
 */
async function rest(failures: number, signal: AbortSignal): Promise<void> {
  const pauseMs = backOffMs(failures + 1, { ...BACK_OFF, random: Math.random() });
  await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
}
