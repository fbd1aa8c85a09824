import { StorageUnavailable } from '@parley/core';
import { type Database, read, write } from './database/database.ts';
import type { Tables } from './database/tables.ts';

interface Checked {
  readonly database: Database;
  /** Returns the reason why the engine refuses writes now. */
  readonly refuseWrites?: (() => string | undefined) | undefined;
}

/** A commit that takes longer than this many milliseconds counts as stuck. */
const STUCK_MS = 5_000;
/**
 * Milliseconds after a stuck commit in which no other commit is tried. PostgreSQL keeps the connection of a commit that
 * waits for a standby until the standby answers, so each attempt could take one more connection.
 */
const REST_MS = 10_000;

/**
 * Returns the function that checks whether the database answers and commits. A database can answer reads although no
 * write commits: it is read-only, or a synchronous standby is missing.
 */
export function openHealth({ database, refuseWrites }: Checked): () => Promise<void> {
  let underway: Promise<void> | undefined;
  let restsUntil = 0;

  async function commit(): Promise<void> {
    const began = performance.now();
    try {
      await proveWritable(database);
    } finally {
      const now = performance.now();
      if (now - began > STUCK_MS) restsUntil = now + REST_MS;
      underway = undefined;
    }
  }

  return async () => {
    await read(database, { text: 'select 1', values: [] });
    const refusal = refuseWrites?.();
    if (refusal !== undefined) throw new StorageUnavailable(refusal);
    if (performance.now() < restsUntil)
      throw new StorageUnavailable('The database answers, but its last commit took too long.');
    underway ??= commit();
    await underway;
  };
}

/**
 * SQL that stores the time in a row of its own. No session has an empty id. The table of rate windows would prove
 * nothing, because it is unlogged, and its commits do not wait for a standby.
 */
const text = ({ presence }: Tables): string => `
insert into ${presence} (session_id, role, at_ms, is_waiting) values ($1, 'health', $2, false)
on conflict (session_id, role) do update set at_ms = excluded.at_ms`;

/** Resolves when a write has been committed. */
async function proveWritable(database: Database): Promise<void> {
  await write(database, { text: text(database.tables), values: ['', Date.now()] });
}
