import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/**
 * SQL that stores the time in a row of its own. No session has an empty id. The table of rate windows would prove
 * nothing, because it is unlogged, and its commits do not wait for a standby.
 */
const text = ({ presence }: Tables): string => `
insert into ${presence} (session_id, role, at_ms, is_waiting) values ($1, 'health', $2, false)
on conflict (session_id, role) do update set at_ms = excluded.at_ms`;

/** Resolves when a write has been committed. */
export async function proveWritable(database: Database): Promise<void> {
  await write(database, { text: text(database.tables), values: ['', Date.now()] });
}
