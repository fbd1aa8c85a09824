import { type Clock, type Notice, type Owner, systemClock } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import { recordPath, sessionPath } from '../../text/record-address.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { post, signedHeaders } from './post.ts';
import { createSweep } from './sweep.ts';

/** Address and secrets of the webhook to which notices are sent. */
export interface Webhook {
  readonly url: string;
  /** Secrets in the form of Standard Webhooks (`whsec_…`). Each delivery has one signature for each secret. */
  readonly secrets: readonly string[];
}

export interface NotifierOptions {
  readonly owner: Pick<Owner, 'waitingSessions' | 'dueNotices' | 'recordNotice' | 'watchNotices'>;
  readonly webhook: Webhook;
  /** Returns the full address of a page of the console. The argument is the path of the page below `/owner/`. */
  readonly pageOf: (path: string) => string;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
  readonly clock?: Clock;
  /** Returns a random number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Sends notices to a webhook when tasks wait for the owner. */
export interface Notifier {
  /** Aborts the deliveries in progress. After the next start, the notices of these deliveries are sent again. */
  close(): Promise<void>;
}

/**
 * Milliseconds between two sweeps, which search all sessions for notices to deliver. A sweep also finds notices of
 * other processes and notices whose delivery failed.
 */
const SWEEP_MS = 60_000;
/**
 * Minimum milliseconds that a sweep gives another process to deliver a notice. If the notice is still due at the end of
 * this time, this process delivers the notice.
 */
const GRACE_MS = 20_000;
/**
 * Maximum of the random delay before the notices found by the first sweep are sent, in milliseconds. Without the delay,
 * processes that start together would send the same notices together.
 */
const START_MS = 2_000;

/** Starts to send notices in the background, until the returned notifier is closed. */
export function startNotifier(options: NotifierOptions): Notifier {
  const { owner, webhook, pageOf, log, clock = systemClock, random = Math.random } = options;
  const leaving = new AbortController();
  const send = (notice: Notice) => {
    const message = { id: notice.notice_id, body: bodyOf(notice, pageOf) };
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

/**
 * The body of a notice. `record_url` is the console's address of the record that waits for the owner, and is absent if
 * there is no such record.
 */
function bodyOf(notice: Notice, pageOf: NotifierOptions['pageOf']): string {
  const { notice_id, wait_id: _wait, number: _number, ...content } = notice;
  const session = sessionPath(content.session_id);
  const record = recordPath(content.session_id, content.record.id);
  const urls = { url: pageOf(session), ...(record !== session && { record_url: pageOf(record) }) };
  return JSON.stringify({ type: 'owner.waiting', id: notice_id, ...content, ...urls });
}

/** After each write of this process has been answered, searches the session of the write for notices. */
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
 * Searches all sessions for notices to deliver, every 60 seconds.
 *
 * @returns the function that ends the searches; resolves when no search is in progress
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
  // In a session without a new event, only notices about absent agents and notices that are already in the outbox are
  // taken. Any other new notice was caused by a write during this sweep, and `watch` sends that notice without a delay.
  const take = (sessionId: string, due: readonly Notice[], isChanged: boolean): void => {
    const known = due.filter((notice) => isChanged || notice.kind === 'AGENT_ABSENT' || outbox.has(notice));
    outbox.take(sessionId, known, graceMs);
  };
  const sweep = createSweep({ owner, log, take, sessionsToSend: outbox.sessions, isOver: () => isOver });
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
