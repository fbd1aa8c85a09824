import type { Clock } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import { createOutbox, type Item, type Outbox, type OutboxOptions } from './outbox.ts';
import { createSweep, type SweepOptions } from './sweep.ts';

/** What is sent in the background, and where it is found. */
export interface DeliveriesOptions<T extends Item>
  extends OutboxOptions<T>,
    Pick<SweepOptions<T>, 'nouns' | 'sessions' | 'due'> {
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

export function startDeliveries<T extends Item>(options: DeliveriesOptions<T>): Deliveries {
  const outbox = createOutbox(options);
  const stopWatching = watch(options, outbox);
  const stopSweeps = startSweeps(options, outbox, options.clock);
  return {
    async close() {
      stopWatching();
      await Promise.all([stopSweeps(), outbox.close()]);
    },
  };
}

/** After each write of this process has been answered, searches the session of the write. */
function watch<T extends Item>(
  { watch: onWrite, log, nouns }: DeliveriesOptions<T> & { readonly log: Pick<Log, 'error'> },
  outbox: Outbox<T>,
): () => void {
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
function startSweeps<T extends Item>(
  { sessions, due, log, nouns, random, isKnown }: DeliveriesOptions<T>,
  outbox: Outbox<T>,
  clock: Clock,
): () => Promise<void> {
  let isOver = false;
  let graceMs = START_MS * random();
  let running: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;
  const take = (sessionId: string, found: readonly T[], isChanged: boolean): void => {
    const known = isChanged || !isKnown ? found : found.filter((item) => isKnown(item, outbox));
    outbox.take(sessionId, known, graceMs);
  };
  const sweep = createSweep({ sessions, due, log, nouns, take, sessionsToSend: outbox.sessions, isOver: () => isOver });
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
