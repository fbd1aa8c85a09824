import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

const text = ({ rate }: Tables): string => `delete from ${rate} where window_ms = $1 and win < $2`;

/** Deletes the counts of all windows before the window `before`. */
export async function forgetWindows(database: Database, windowMs: number, before: number): Promise<void> {
  await write(database, { text: text(database.tables), values: [windowMs, before] });
}
