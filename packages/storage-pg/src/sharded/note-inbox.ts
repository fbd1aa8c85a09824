import type { InboxNote } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import { placeValues } from '../sql/inbox-columns.ts';

/** Stores the places of sessions one after another. Each statement contains only one session's id. */
export async function noteShardedInbox(database: Database, notes: readonly InboxNote[]): Promise<void> {
  const text = `update ${database.tables.session}
    set noted_seq = $3, noted_key = $4, inbox_tasks = $5
    where session_id = $1 and seq = $3 and hash = $2`;
  for (const { sessionId, head, place } of notes) {
    const values = [sessionId, head.hash, ...placeValues(place, head.seq)];
    await write(database, { name: 'parley_inbox_note', text, values });
  }
}
