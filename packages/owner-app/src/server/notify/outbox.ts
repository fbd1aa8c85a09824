import { backOffMs, type Clock, type Notice, type Owner, ParleyError } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import type { Outcome } from './post.ts';
import { createTaskQueue, type TaskQueue } from './task-queue.ts';

const MAX_CONCURRENT = 4;
/** The pause after a failed delivery: 5 seconds after the first failure, up to one hour after later ones. */
const BACK_OFF = { firstMs: 5_000, mostMs: 3_600_000 };
/** Milliseconds after which a notice that could not be delivered is given up: three days. */
const GIVE_UP_MS = 3 * 24 * 3_600_000;

export interface OutboxOptions {
  readonly owner: Pick<Owner, 'dueNotices' | 'recordNotice'>;
  readonly send: (notice: Notice) => Promise<Outcome>;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
}

/** A notice that is not delivered yet, or whose delivery is not recorded yet. */
interface Entry {
  readonly notice: Notice;
  readonly sinceMs: number;
  failures: number;
  isUnderWay: boolean;
  /** True once the receiver has accepted the notice. Then only its delivery must be recorded. */
  isTaken: boolean;
  /** False if the task stopped waiting for the owner after the delivery began. */
  isUnbroken: boolean;
  cancel: () => void;
}

/** The notices to send, by session and by notice id. */
interface Box extends OutboxOptions {
  readonly entries: Map<string, Map<string, Entry>>;
  readonly queue: TaskQueue;
  isOver: boolean;
}

export interface Outbox {
  /**
   * Updates the notices of a session with those that are due now: sends new notices after the delay, and drops notices that are
   * no longer due.
   */
  take(sessionId: string, due: readonly Notice[], delayMs: number): void;
  /** Starts no further deliveries. Resolves when those in progress have ended. */
  close(): Promise<void>;
}

/**
 * Builds the outbox. It sends each notice again until the receiver accepts it and its delivery is recorded in the log.
 * Undelivered notices are not stored: after a restart they are derived from the log again.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const box: Box = { ...options, entries: new Map(), queue: createTaskQueue(MAX_CONCURRENT), isOver: false };
  return {
    take: (sessionId, due, delayMs) => take(box, sessionId, due, delayMs),
    close() {
      stop(box);
      return box.queue.close();
    },
  };
}

function take(box: Box, sessionId: string, due: readonly Notice[], delayMs: number): void {
  if (box.isOver) return;
  const known = box.entries.get(sessionId) ?? new Map<string, Entry>();
  const ids = new Set(due.map(({ notice_id }) => notice_id));
  for (const [id, entry] of known) if (!ids.has(id)) leave(box, entry);
  const fresh = due.filter(({ notice_id }) => !known.has(notice_id));
  if (fresh.length === 0) return;
  box.entries.set(sessionId, known);
  for (const notice of fresh) {
    const entry = newEntry(notice, box.clock.now());
    known.set(notice.notice_id, entry);
    schedule(box, entry, delayMs);
  }
}

const newEntry = (notice: Notice, sinceMs: number): Entry => ({
  notice,
  sinceMs,
  failures: 0,
  isUnderWay: false,
  isTaken: false,
  isUnbroken: true,
  cancel: () => undefined,
});

/**
 * Drops a notice that is no longer due. If it is being delivered, or was accepted, it is kept until its delivery is recorded,
 * so that its id is not used again.
 */
function leave(box: Box, entry: Entry): void {
  entry.isUnbroken = false;
  if (!entry.isUnderWay && !entry.isTaken) remove(box, entry);
}

function remove({ entries }: Box, entry: Entry): void {
  const { session_id, notice_id } = entry.notice;
  entry.cancel();
  const known = entries.get(session_id);
  known?.delete(notice_id);
  if (known?.size === 0) entries.delete(session_id);
}

const isKept = ({ entries }: Box, entry: Entry): boolean =>
  entries.get(entry.notice.session_id)?.get(entry.notice.notice_id) === entry;

function schedule(box: Box, entry: Entry, delayMs: number): void {
  const begin = (): void => box.queue.run(() => run(box, entry));
  if (delayMs === 0) begin();
  else entry.cancel = box.clock.after(delayMs, begin);
}

async function run(box: Box, entry: Entry): Promise<void> {
  if (box.isOver || !isKept(box, entry)) return;
  entry.isUnderWay = true;
  try {
    if (!entry.isTaken) await deliver(box, entry);
    if (entry.isTaken) await record(box, entry);
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'UNKNOWN_RECORD') remove(box, entry);
    else again(box, entry, error instanceof ParleyError ? error.code : 'INTERNAL', 0);
  } finally {
    entry.isUnderWay = false;
  }
}

/**
 * Delivers a notice. Drops it instead if it is no longer due: another process has delivered it meanwhile, or the task no longer
 * waits for the owner.
 */
async function deliver(box: Box, entry: Entry): Promise<void> {
  const { session_id, notice_id } = entry.notice;
  entry.isUnbroken = true;
  const due = await box.owner.dueNotices(session_id);
  const notice = due.find((candidate) => candidate.notice_id === notice_id);
  if (!notice) return remove(box, entry);
  const outcome = await box.send(notice);
  if (outcome.result === 'taken') entry.isTaken = true;
  else if (outcome.result === 'failed') again(box, entry, outcome.reason, outcome.retryAfterMs);
  else if (!box.isOver) {
    box.log.error({ notice_id }, 'the webhook answered 410: no notice is sent until the server starts again');
    stop(box);
  }
}

async function record(box: Box, entry: Entry): Promise<void> {
  const { session_id, notice_id, wait_id, number } = entry.notice;
  await box.owner.recordNotice(session_id, { wait_id, number, unbroken: entry.isUnbroken });
  box.log.debug({ notice_id }, 'a notice was delivered');
  remove(box, entry);
}

function again(box: Box, entry: Entry, reason: string, atLeastMs: number): void {
  if (box.isOver) return;
  const { notice_id } = entry.notice;
  entry.failures += 1;
  const failed = { notice_id, reason, failures: entry.failures };
  if (!entry.isTaken && box.clock.now() - entry.sinceMs >= GIVE_UP_MS) {
    box.log.error(failed, 'a notice was not delivered and is not tried again');
    return;
  }
  const delayMs = Math.max(backOffMs(entry.failures, { ...BACK_OFF, random: box.random() }), atLeastMs);
  box.log.warn({ ...failed, again_in_s: Math.round(delayMs / 1000) }, 'a notice was not delivered');
  schedule(box, entry, delayMs);
}

function stop(box: Box): void {
  box.isOver = true;
  for (const known of box.entries.values()) for (const entry of known.values()) entry.cancel();
}
