import { type ListedSession, mapConcurrent, ParleyError } from '@parley/core';
import { createOutbox, type Item, type Outbox, type OutboxOptions } from './outbox.ts';

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
const MAX_CONCURRENT = 8;

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
  await mapConcurrent(MAX_CONCURRENT, waiting, async ({ sessionId, status, seq }) => {
    left.delete(sessionId);
    const isChanged = round.seen.get(sessionId) !== seq;
    const isQuiet = status === 'DRAFT' || (status !== 'ACTIVE' && !isChanged);
    if (isQuiet || (await search(options, round, sessionId, isChanged))) found.set(sessionId, seq);
  });
  await mapConcurrent(MAX_CONCURRENT, [...left], (sessionId) => search(options, round, sessionId, true));
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
