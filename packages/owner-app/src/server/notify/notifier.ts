import { type Clock, type Notice, type Owner, systemClock } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import type { Webhook } from '../settings/settings.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { post } from './post.ts';
import { signedHeaders } from './signature.ts';
import { createSweep } from './sweep.ts';

export interface NotifierOptions {
  readonly owner: Pick<Owner, 'listSessions' | 'dueNotices' | 'recordNotice' | 'watchNotices'>;
  readonly webhook: Webhook;
  /** Address of a session in the console. */
  readonly pageOf: (sessionId: string) => string;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
  readonly clock?: Clock;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
}

/** Notifies an owner by webhook of tasks that wait for the owner. */
export interface Notifier {
  /** Aborts deliveries in progress; they are repeated after the next start. */
  close(): Promise<void>;
}

/**
 * Milliseconds between searches for notices that no write of this process caused: those of other processes, and failed
 * ones.
 */
const SWEEP_MS = 60_000;
/** Milliseconds in which another process can deliver a notice that it caused; longer than a delivery takes. */
const GRACE_MS = 20_000;
/** Random delay, so that processes that start together do not send together. */
const START_MS = 2_000;

/** Starts to send notices, outside of requests, until the notifier is closed. */
export function startNotifier(options: NotifierOptions): Notifier {
  const { owner, webhook, pageOf, log, clock = systemClock, random = Math.random } = options;
  const leaving = new AbortController();
  const send = (notice: Notice) => {
    const message = { id: notice.notice_id, body: bodyOf(notice, pageOf(notice.session_id)) };
    const headers = signedHeaders(webhook.secrets, message, clock.now());
    return post({ url: webhook.url, headers, body: message.body }, clock, leaving.signal);
  };
  const outbox = createOutbox({ owner, send, clock, random, log });
  const stopWatching = watch(options, outbox);
  const stopSweeps = startSweeps(options, outbox, clock, random);
  return {
    async close() {
      leaving.abort();
      stopWatching();
      await Promise.all([stopSweeps(), outbox.close()]);
    },
  };
}

/** The body of a notice. `type` identifies the sender for receivers with several senders. */
const bodyOf = ({ notice_id, wait_id: _wait, number: _number, ...told }: Notice, url: string): string =>
  JSON.stringify({ type: 'owner.waiting', id: notice_id, ...told, url });

/** Searches a session for notices after this process wrote to it and answered the request. */
function watch({ owner, log }: NotifierOptions, outbox: Outbox): () => void {
  const changed = new Map<string, () => readonly Notice[]>();
  const look = (): void => {
    const all = [...changed];
    changed.clear();
    for (const [sessionId, read] of all) {
      try {
        outbox.take(sessionId, read(), 0);
      } catch (error) {
        log.error({ err: error, session_id: sessionId }, 'a session could not be searched for notices');
      }
    }
  };
  return owner.watchNotices((sessionId, read) => {
    if (changed.size === 0) setImmediate(look);
    changed.set(sessionId, read);
  });
}

/**
 * @returns the function that ends the searches; resolves when none is in progress
 */
function startSweeps(
  { owner, log }: NotifierOptions,
  outbox: Outbox,
  clock: Clock,
  random: () => number,
): () => Promise<void> {
  let isOver = false;
  let graceMs = START_MS * random();
  let running: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;
  const take = (sessionId: string, due: readonly Notice[]): void => outbox.take(sessionId, due, graceMs);
  const sweep = createSweep({ owner, log, take, isOver: () => isOver });
  const round = (): void => {
    running = sweep().then(() => {
      graceMs = GRACE_MS * (1 + random());
      if (!isOver) cancel = clock.after(SWEEP_MS, round);
    });
  };
  round();
  return () => {
    isOver = true;
    cancel();
    return running;
  };
}
