import { backOffMs, type Clock, type Notice, type Owner, ParleyError } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import type { DeliveryResult } from './post.ts';

/** Runs tasks in the order in which they were added, a limited number of them at the same time. */
export interface TaskQueue {
  run(task: () => Promise<void>): void;
  /** Drops the tasks that have not begun. Resolves when the running tasks have ended. */
  close(): Promise<void>;
}

export function createTaskQueue(count: number): TaskQueue {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();

  const next = (): void => {
    const task = running.size < count ? waiting.shift() : undefined;
    if (!task) return;
    const run = task().finally(() => {
      running.delete(run);
      next();
    });
    running.add(run);
  };

  return {
    run(task) {
      waiting.push(task);
      next();
    },
    async close() {
      waiting.length = 0;
      await Promise.all(running);
    },
  };
}

const MAX_CONCURRENT = 4;
/**
 * The pause after a failed delivery: 5 seconds after the first failure, then longer after each further failure, up to
 * one hour.
 */
const BACK_OFF = { firstMs: 5_000, mostMs: 3_600_000 };
/** Milliseconds after which a notice that cannot be delivered is not sent again: three days. */
const GIVE_UP_MS = 3 * 24 * 3_600_000;

export interface OutboxOptions {
  readonly owner: Pick<Owner, 'dueNotices' | 'recordNotice'>;
  readonly send: (notice: Notice) => Promise<DeliveryResult>;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
}

/** A notice whose delivery is not yet recorded in the log. */
interface Entry {
  readonly notice: Notice;
  readonly sinceMs: number;
  /** True while the first delivery of the notice is delayed. */
  isDelayed: boolean;
  failures: number;
  isUnderWay: boolean;
  /** True if the receiver has accepted the notice, but the log does not contain the event of the delivery yet. */
  isTaken: boolean;
  /** False if the task stopped waiting for the owner while the notice was being delivered. */
  isUnbroken: boolean;
  cancel: () => void;
}

/** The notices that must still be sent or recorded, by session id and notice id. */
interface Box extends OutboxOptions {
  readonly entries: Map<string, Map<string, Entry>>;
  readonly queue: TaskQueue;
  isOver: boolean;
}

export interface Outbox {
  /**
   * Makes the notices of a session equal to `due`: sends new notices after the delay, and drops notices that are not in
   * `due`. If `delayMs` is 0, also sends notices that an earlier call has delayed.
   */
  take(sessionId: string, due: readonly Notice[], delayMs: number): void;
  /** The ids of the sessions with a notice that must still be sent or recorded. */
  sessions(): readonly string[];
  /** Whether the notice must still be sent or recorded. */
  has(notice: Notice): boolean;
  /** Starts no more deliveries. Resolves when the deliveries in progress have ended. */
  close(): Promise<void>;
}

/**
 * Creates the outbox, which sends each notice until the receiver accepts it and the delivery is recorded in the log.
 * Notices are not stored: after a restart they are computed from the log again.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const box: Box = { ...options, entries: new Map(), queue: createTaskQueue(MAX_CONCURRENT), isOver: false };
  return {
    take: (sessionId, due, delayMs) => take(box, sessionId, due, delayMs),
    sessions: () => [...box.entries.keys()],
    has: ({ session_id, notice_id }) => box.entries.get(session_id)?.has(notice_id) === true,
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
  if (delayMs === 0) for (const entry of known.values()) if (entry.isDelayed) hasten(box, entry);
  const fresh = due.filter(({ notice_id }) => !known.has(notice_id));
  if (fresh.length === 0) return;
  box.entries.set(sessionId, known);
  for (const notice of fresh) {
    const entry = newEntry(notice, box.clock.now(), delayMs > 0);
    known.set(notice.notice_id, entry);
    schedule(box, entry, delayMs);
  }
}

function hasten(box: Box, entry: Entry): void {
  entry.cancel();
  entry.isDelayed = false;
  schedule(box, entry, 0);
}

const newEntry = (notice: Notice, sinceMs: number, isDelayed: boolean): Entry => ({
  notice,
  sinceMs,
  isDelayed,
  failures: 0,
  isUnderWay: false,
  isTaken: false,
  isUnbroken: true,
  cancel: () => undefined,
});

/**
 * Drops a notice that need not be delivered any more. A notice whose delivery has begun stays until the delivery is
 * recorded, because the id of the notice must not be used again before that.
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
  entry.isDelayed = false;
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
 * Sends a notice, or drops the notice if another process has delivered it or its task no longer waits for the owner.
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
    box.log.error(
      { notice_id },
      'the webhook answered 410 (gone): no notice will be sent until the server is restarted',
    );
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
    box.log.error(failed, 'a notice was not delivered and will not be sent again');
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
