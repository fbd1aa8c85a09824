import { StorageUnavailable } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import { ConnectionLost, StatementRefused } from '../database/failures.ts';

const CHECKPOINT_MS = 60_000;
const VACUUM_MS = 60 * 60_000;

/**
 * Runs checkpoints and vacuum regularly, because PGlite does not. Otherwise, the write-ahead log and the tables would
 * grow without limit.
 *
 * @returns a function that stops the maintenance and waits for work in progress
 */
export function startMaintenance(database: Database): () => Promise<void> {
  let underway: Promise<void> = Promise.resolve();
  const every = (ms: number, text: string): NodeJS.Timeout =>
    setInterval(() => {
      underway = underway.then(() => runIgnoringErrors(database, text));
    }, ms).unref();
  const timers = [every(CHECKPOINT_MS, 'checkpoint'), every(VACUUM_MS, 'vacuum (analyze)')];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await underway;
  };
}

/** The failures that the next request, or the loss of the folder, reports. */
const REPORTED = [StatementRefused, ConnectionLost, StorageUnavailable];

/**
 * Runs a statement. Ignores a refused statement, a lost connection and a database that has stopped: the timer runs the statement
 * again. Such an error would end the process before it is closed.
 */
async function runIgnoringErrors(database: Database, text: string): Promise<void> {
  await write(database, { text, values: [] }).catch((error: unknown) => {
    if (!REPORTED.some((kind) => error instanceof kind)) throw error;
  });
}
