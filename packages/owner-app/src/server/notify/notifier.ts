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
  /** Returns the address of a session in the console. */
  readonly pageOf: (sessionId: string) => string;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
  readonly clock?: Clock;
  /** Returns a random number from 0 to 1. Tests pass their own function. */
  readonly random?: () => number;
}

/** Sends notices to a webhook when tasks wait for the owner. */
export interface Notifier {
  /** Aborts the deliveries in progress. The next start sends these notices again. */
  close(): Promise<void>;
}

/**
 * Milliseconds between two searches for due notices in all sessions. They find notices that a write of another process caused,
 * and notices whose delivery failed.
 */
const SWEEP_MS = 60_000;
/**
 * Milliseconds in which another process can deliver a notice that its own write caused, before this process sends it. Longer
 * than a delivery takes.
 */
const GRACE_MS = 20_000;
/**
 * Maximum milliseconds of a random delay after the start. Several processes that start together then do not send at the same
 * time.
 */
const START_MS = 2_000;

/** Starts to send notices. Sending runs beside the requests, until the notifier is closed. */
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

/** The body of a notice. A receiver that gets messages from several senders recognizes a notice by its `type`. */
const bodyOf = ({ notice_id, wait_id: _wait, number: _number, ...told }: Notice, url: string): string =>
  JSON.stringify({ type: 'owner.waiting', id: notice_id, ...told, url });

/**
 * After each write of this process to a session, searches that session for due notices. The search runs after the write was
 * answered.
 */
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
 * Starts to search all sessions for due notices, every 60 seconds.
 *
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
