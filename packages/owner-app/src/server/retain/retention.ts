import { type Clock, type Parley, type People, type Storage, systemClock } from '@parley/core';
import { type ArchivePlace, openArchive } from './open-archive.ts';
import { ownersOf, type RetentionOutcome, type SweepOptions, sweep } from './sweep.ts';

/** When ended sessions are exported and erased, and to which place they are exported. */
export interface Retention {
  /** Days between the end of a session and its erasure. */
  readonly days: number;
  readonly to: ArchivePlace;
}

export interface RetentionOptions extends Pick<SweepOptions, 'log'> {
  readonly parley: Pick<Parley, 'owner'>;
  readonly people: Pick<People, 'calls'>;
  readonly retention: Retention;
  /** `countWindow` decides which process sweeps: the process that calls it first in an hour. */
  readonly storage: Pick<Storage, 'countWindow'>;
  readonly count: (outcome: RetentionOutcome) => void;
  readonly clock?: Clock;
}

/** Milliseconds of a period. In each period, only one of all processes sweeps. */
const SWEEP_MS = 60 * 60 * 1000;
/** Milliseconds between two attempts of a process to sweep. The first process in each hour sweeps. */
const LOOK_MS = 10 * 60 * 1000;
const START_MS = 60_000;

/**
 * Exports and erases sessions in the background, once an hour in one of the processes. If that process ends during the
 * sweep, another process continues in the next hour.
 */
export function startRetention(options: RetentionOptions): { close(): Promise<void> } {
  const { retention, storage, parley, people, log, count, clock = systemClock } = options;
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  let running: Promise<unknown> = Promise.resolve();
  let cancel = clock.after(START_MS, () => look());
  const sweepAlone = async (): Promise<void> => {
    const [counted] = await storage.countWindow(SWEEP_MS, [{ bucket: 'retention', n: 1 }]);
    if (counted?.n !== 1 || isOver()) return;
    const archive = openArchive(retention.to, over.signal);
    const owners = await ownersOf(parley, people);
    await sweep({ owners, archive, days: retention.days, nowMs: clock.now(), log, count, isOver });
  };
  const look = (): void => {
    running = sweepAlone()
      .catch((error: unknown) => log.warn({ err: error }, 'the search for sessions to erase failed'))
      .then(() => {
        if (!isOver()) cancel = clock.after(LOOK_MS, look);
      });
  };
  return {
    async close() {
      over.abort();
      cancel();
      await running;
    },
  };
}
