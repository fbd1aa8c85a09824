import {
  backOffMs,
  type Clock,
  createHeavyCalls,
  type HeavyCalls,
  type ListedSession,
  mapConcurrent,
  ParleyError,
} from '@parley/core';
import type { Log } from '@parley/http-host/program';
import type { DeliveryResult } from './post.ts';

const MAX_CONCURRENT = 4;
/**
 * The pause after a failed delivery: 5 seconds after the first failure, then longer after each further failure, up to
 * one hour.
 */
const BACK_OFF = { firstMs: 5_000, mostMs: 3_600_000 };
/** Milliseconds after which an item that cannot be delivered is not sent again: three days. */
const GIVE_UP_MS = 3 * 24 * 3_600_000;

/** What everything that sends in the background is given. */
export interface SenderOptions {
  /** Returns the full address of a page of the console. The argument is the path of the page below `/owner/`. */
  readonly pageOf: (path: string) => string;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
  readonly clock?: Clock;
  /** Returns a random number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** What an outbox sends, such as a notice, as the log of its session says that it is due. */
export interface Item {
  readonly session_id: string;
}

interface OutboxOptions<T extends Item> extends Required<Omit<SenderOptions, 'pageOf'>> {
  /** What is sent, in log lines: `a notice`. */
  readonly noun: string;
  /** All deliveries of an item have the same id. */
  readonly idOf: (item: T) => string;
  /** If it differs from that of an item that waits to be sent again, the item is sent at once. Default: it never differs. */
  readonly contentOf?: (item: T) => string;
  readonly due: (sessionId: string) => Promise<readonly T[]>;
  /** Sends an item. `signal` aborts the delivery when the outbox is closed. */
  readonly send: (item: T, signal: AbortSignal) => Promise<DeliveryResult>;
  /**
   * Stores that the receiver has accepted an item.
   *
   * @param isUnbroken false if the item was no longer due at some time during its delivery
   */
  readonly record: (item: T, isUnbroken: boolean) => Promise<void>;
  /**
   * Stores that a delivery failed. If it is final, the item is then no longer due. If left out, an item that cannot be delivered
   * stays until the next start.
   */
  readonly recordFailure?: (item: T, failure: { readonly reason: string; readonly isFinal: boolean }) => Promise<void>;
}

/** An item whose delivery is not yet recorded in the log. */
interface Entry<T> {
  readonly id: string;
  item: T;
  readonly sinceMs: number;
  /** True until the delay before the first delivery of the item ends. */
  isDelayed: boolean;
  failures: number;
  isUnderWay: boolean;
  /** True if the receiver has accepted the item, but the log does not contain the event of the delivery yet. */
  isTaken: boolean;
  /** False if the item stopped being due while it was being delivered. */
  isUnbroken: boolean;
  /** True if the item was found to be due while it was being delivered. */
  isFoundAgain: boolean;
  cancel: () => void;
}

/** The items that must still be sent or recorded, by session id and id. */
interface Box<T extends Item> extends OutboxOptions<T> {
  readonly entries: Map<string, Map<string, Entry<T>>>;
  readonly queue: HeavyCalls;
  readonly running: Set<Promise<void>>;
  readonly leaving: AbortController;
  isOver: boolean;
}

interface Outbox<T extends Item> {
  /**
   * Makes the items of a session equal to `due`: sends new items after the delay, and drops items that are not in
   * `due`. If `delayMs` is 0, also sends items that an earlier call has delayed.
   */
  take(sessionId: string, due: readonly T[], delayMs: number): void;
  /** The ids of the sessions with an item that must still be sent or recorded. */
  sessions(): readonly string[];
  /** Whether the item must still be sent or recorded. */
  has(item: T): boolean;
  /** Aborts the deliveries in progress, and starts no more. Resolves when they have ended. */
  close(): Promise<void>;
}

/**
 * Creates an outbox, which sends each item until the receiver accepts it and the delivery is recorded in the log.
 * Items are not stored: after a restart they are computed from the log again.
 */
export function createOutbox<T extends Item>(options: OutboxOptions<T>): Outbox<T> {
  const queue = createHeavyCalls({ atOnce: MAX_CONCURRENT });
  const leaving = new AbortController();
  const box: Box<T> = { ...options, entries: new Map(), queue, running: new Set(), leaving, isOver: false };
  return {
    take: (sessionId, due, delayMs) => take(box, sessionId, due, delayMs),
    sessions: () => [...box.entries.keys()],
    has: (item) => box.entries.get(item.session_id)?.has(box.idOf(item)) === true,
    async close() {
      leaving.abort();
      stop(box);
      await Promise.all(box.running);
    },
  };
}

function take<T extends Item>(box: Box<T>, sessionId: string, due: readonly T[], delayMs: number): void {
  if (box.isOver) return;
  const known = box.entries.get(sessionId) ?? new Map<string, Entry<T>>();
  const items = new Map(due.map((item) => [box.idOf(item), item]));
  for (const entry of known.values()) {
    const item = items.get(entry.id);
    if (!item) leave(box, entry);
    else if (entry.isUnderWay) entry.isFoundAgain = true;
    else if (isChanged(box, entry, item)) remove(box, entry);
    else if (delayMs === 0 && entry.isDelayed) hasten(box, entry);
  }
  const fresh = [...items].filter(([id]) => !known.has(id));
  if (fresh.length === 0) return;
  box.entries.set(sessionId, known);
  for (const [id, item] of fresh) {
    const entry = newEntry({ id, item, sinceMs: box.clock.now(), isDelayed: delayMs > 0 });
    known.set(id, entry);
    schedule(box, entry, delayMs);
  }
}

const isChanged = <T extends Item>({ contentOf }: Box<T>, { item, failures }: Entry<T>, now: T): boolean =>
  failures > 0 && contentOf !== undefined && contentOf(item) !== contentOf(now);

function hasten<T extends Item>(box: Box<T>, entry: Entry<T>): void {
  entry.cancel();
  schedule(box, entry, 0);
}

const newEntry = <T>(begun: Pick<Entry<T>, 'id' | 'item' | 'sinceMs' | 'isDelayed'>): Entry<T> => ({
  ...begun,
  failures: 0,
  isUnderWay: false,
  isTaken: false,
  isUnbroken: true,
  isFoundAgain: false,
  cancel: () => undefined,
});

/**
 * Drops an item that need not be delivered any more. An item whose delivery has begun stays until the delivery is
 * recorded, because the id of the item must not be used again before that.
 */
function leave<T extends Item>(box: Box<T>, entry: Entry<T>): void {
  entry.isUnbroken = false;
  if (!entry.isUnderWay && !entry.isTaken) remove(box, entry);
}

function remove<T extends Item>({ entries }: Box<T>, { id, item, cancel }: Entry<T>): void {
  cancel();
  const known = entries.get(item.session_id);
  known?.delete(id);
  if (known?.size === 0) entries.delete(item.session_id);
}

const isKept = <T extends Item>({ entries }: Box<T>, entry: Entry<T>): boolean =>
  entries.get(entry.item.session_id)?.get(entry.id) === entry;

function schedule<T extends Item>(box: Box<T>, entry: Entry<T>, delayMs: number): void {
  // First deliveries and repeated ones take turns, so that many of one kind do not hold up the other.
  const turn = entry.failures > 0 ? 'again' : 'first';
  const begin = (): void => {
    entry.isDelayed = false;
    const delivery = box.queue.run(turn, () => run(box, entry)).finally(() => box.running.delete(delivery));
    box.running.add(delivery);
  };
  if (delayMs === 0) begin();
  else entry.cancel = box.clock.after(delayMs, begin);
}

async function run<T extends Item>(box: Box<T>, entry: Entry<T>): Promise<void> {
  if (box.isOver || !isKept(box, entry)) return;
  entry.isUnderWay = true;
  try {
    if (!entry.isTaken) await deliver(box, entry);
    if (entry.isTaken) await record(box, entry);
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'UNKNOWN_RECORD') remove(box, entry);
    else await again(box, entry, error instanceof ParleyError ? error.code : 'INTERNAL', 0).catch(() => undefined);
  } finally {
    entry.isUnderWay = false;
  }
}

/** Sends an item, or drops the item if another process has delivered it or it is no longer due. */
async function deliver<T extends Item>(box: Box<T>, entry: Entry<T>): Promise<void> {
  entry.isUnbroken = true;
  entry.isFoundAgain = false;
  const due = await box.due(entry.item.session_id);
  const item = due.find((candidate) => box.idOf(candidate) === entry.id);
  if (!item) return remove(box, entry);
  entry.item = item;
  const outcome = await box.send(item, box.leaving.signal);
  if (outcome.result === 'taken') entry.isTaken = true;
  else if (outcome.result === 'refused') await giveUp(box, entry, outcome.reason);
  else if (outcome.result === 'failed') await again(box, entry, outcome.reason, outcome.retryAfterMs);
  else if (!box.isOver) {
    box.log.error(
      { id: entry.id },
      `the receiver of ${box.noun} answered 410 (gone): nothing will be sent until the server is restarted`,
    );
    stop(box);
  }
}

async function record<T extends Item>(box: Box<T>, entry: Entry<T>): Promise<void> {
  await box.record(entry.item, entry.isUnbroken);
  box.log.debug({ id: entry.id }, `${box.noun} was delivered`);
  await finish(box, entry);
}

/** Removes an item that is recorded. If it is due again already, it is sent again. */
async function finish<T extends Item>(box: Box<T>, entry: Entry<T>): Promise<void> {
  const { session_id } = entry.item;
  remove(box, entry);
  if (entry.isFoundAgain) take(box, session_id, await box.due(session_id), 0);
}

async function giveUp<T extends Item>(box: Box<T>, entry: Entry<T>, reason: string): Promise<void> {
  const { id, item, failures } = entry;
  box.log.error({ id, reason, failures }, `${box.noun} was not delivered and will not be sent again`);
  if (!box.recordFailure) return;
  await box.recordFailure(item, { reason, isFinal: true });
  await finish(box, entry);
}

async function again<T extends Item>(box: Box<T>, entry: Entry<T>, reason: string, atLeastMs: number): Promise<void> {
  if (box.isOver) return;
  entry.failures += 1;
  const { id, item, failures } = entry;
  if (!entry.isTaken && box.clock.now() - entry.sinceMs >= GIVE_UP_MS) return await giveUp(box, entry, reason);
  const delayMs = Math.max(backOffMs(failures, { ...BACK_OFF, random: box.random() }), atLeastMs);
  box.log.warn({ id, reason, failures, again_in_s: Math.round(delayMs / 1000) }, `${box.noun} was not delivered`);
  schedule(box, entry, delayMs);
  if (!entry.isTaken) await box.recordFailure?.(item, { reason, isFinal: false })?.catch(() => undefined);
}

function stop<T extends Item>(box: Box<T>): void {
  box.isOver = true;
  for (const known of box.entries.values()) for (const entry of known.values()) entry.cancel();
}

type SweptSession = Pick<ListedSession, 'sessionId' | 'status' | 'seq'>;

/** What is sent in the background, and where it is found. */
interface DeliveriesOptions<T extends Item> extends OutboxOptions<T> {
  /** What is searched for, in log lines: `notices`. */
  readonly nouns: string;
  /** The sessions in which something can be due. */
  readonly sessions: () => AsyncIterable<SweptSession>;
  /** Calls the listener after each write of this process. Returns a function that removes the listener. */
  readonly watch: (listener: (sessionId: string, read: () => readonly T[]) => void) => () => void;
  /**
   * Selects what a sweep takes of a session without a new event. In such a session, anything else that is new was caused by a write
   * during the sweep, and is sent without a delay. Default: everything.
   */
  readonly isKnown?: (item: T, outbox: Outbox<T>) => boolean;
}

/** Sends in the background until it is closed. */
export interface Deliveries {
  /** Aborts the deliveries in progress. They are made again after the next start. */
  close(): Promise<void>;
}

/**
 * Milliseconds between two sweeps, which search all sessions for what is due. A sweep also finds what other processes
 * have caused, and what could not be delivered.
 */
const SWEEP_MS = 60_000;
/**
 * Minimum milliseconds that a sweep gives another process to deliver an item. If the item is still due at the end of
 * this time, this process delivers it.
 */
const GRACE_MS = 20_000;
/**
 * Maximum of the random delay before the items found by the first sweep are sent, in milliseconds. Without the delay,
 * processes that start together would send the same items together.
 */
const START_MS = 2_000;
/** Sessions that a sweep searches at the same time. */
const MAX_DELIVERIES = 8;

export function startDeliveries<T extends Item>(options: DeliveriesOptions<T>): Deliveries {
  const outbox = createOutbox(options);
  const stopWatching = watch(options, outbox);
  const stopSweeps = startSweeps(options, outbox);
  return {
    async close() {
      stopWatching();
      await Promise.all([stopSweeps(), outbox.close()]);
    },
  };
}

/** After each write of this process has been answered, searches the session of the write. */
function watch<T extends Item>({ watch: onWrite, log, nouns }: DeliveriesOptions<T>, outbox: Outbox<T>): () => void {
  const changed = new Map<string, () => readonly T[]>();
  const look = (): void => {
    const all = [...changed];
    changed.clear();
    for (const [sessionId, read] of all) {
      try {
        outbox.take(sessionId, read(), 0);
      } catch (error) {
        log.error({ err: error, session_id: sessionId }, `a session could not be searched for ${nouns}`);
      }
    }
  };
  return onWrite((sessionId, read) => {
    if (changed.size === 0) setImmediate(look);
    changed.set(sessionId, read);
  });
}

/**
 * Searches all sessions every 60 seconds.
 *
 * @returns the function that ends the searches; resolves when no search is in progress
 */
function startSweeps<T extends Item>(options: DeliveriesOptions<T>, outbox: Outbox<T>): () => Promise<void> {
  const { log, nouns, random, clock } = options;
  const ending = new AbortController();
  /** The number of the last event of each session in the last sweep. */
  let seen: ReadonlyMap<string, number> = new Map();
  let graceMs = START_MS * random();
  let running: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;
  const round = (): void => {
    running = sweep(options, { outbox, seen, graceMs, signal: ending.signal })
      .then(
        (found) => {
          seen = found;
        },
        (error) => log.warn({ err: error }, `sessions could not be searched for ${nouns}`),
      )
      .then(() => {
        graceMs = GRACE_MS * (1 + random());
        if (!ending.signal.aborted) cancel = clock.after(SWEEP_MS, round);
      });
  };
  round();
  return () => {
    ending.abort();
    cancel();
    return running;
  };
}

interface Sweep<T extends Item> {
  readonly outbox: Outbox<T>;
  /** The number of the last event of each session in the last sweep. */
  readonly seen: ReadonlyMap<string, number>;
  readonly graceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Searches for what is due in `sessions` and in the sessions that the outbox has items of. Drafts are skipped, and a paused session
 * is skipped until it has a new event.
 */
async function sweep<T extends Item>(
  options: DeliveriesOptions<T>,
  round: Sweep<T>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const left = new Set(round.outbox.sessions());
  const waiting: SweptSession[] = [];
  for await (const session of options.sessions()) waiting.push(session);
  await mapConcurrent(MAX_DELIVERIES, waiting, async ({ sessionId, status, seq }) => {
    left.delete(sessionId);
    const isChanged = round.seen.get(sessionId) !== seq;
    const isQuiet = status === 'DRAFT' || (status !== 'ACTIVE' && !isChanged);
    if (isQuiet || (await search(options, round, sessionId, isChanged))) found.set(sessionId, seq);
  });
  await mapConcurrent(MAX_DELIVERIES, [...left], (sessionId) => search(options, round, sessionId, true));
  return found;
}

/**
 * Searches one session. Returns false if the session cannot be read, so that the sweep continues with the
 * other sessions.
 */
async function search<T extends Item>(
  { nouns, due, log, isKnown }: DeliveriesOptions<T>,
  { outbox, graceMs, signal }: Sweep<T>,
  sessionId: string,
  isChanged: boolean,
): Promise<boolean> {
  if (signal.aborted) return false;
  try {
    const found = await due(sessionId);
    const known = isChanged || !isKnown ? found : found.filter((item) => isKnown(item, outbox));
    outbox.take(sessionId, known, graceMs);
    return true;
  } catch (error) {
    const isDeleted = error instanceof ParleyError && error.code === 'UNKNOWN_RECORD';
    if (!isDeleted) log.warn({ err: error, session_id: sessionId }, `a session could not be searched for ${nouns}`);
    return false;
  }
}
