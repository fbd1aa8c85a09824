import type { Head, LogTail } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import { type FetchRequest, SEQ_MAX } from '../sql/fetch-sessions.ts';
import { readEvents } from '../sql/read-events.ts';

/**
 * Fetches one session with a short statement for the head, and with a second statement for the events only if there are
 * new events. One statement for both would be longer, and Citus plans a statement at every call, which takes longer for
 * a longer text. The second statement reads the events up to the head that the first has read. If the session is
 * deleted in between, the result has no events, and `more` is true.
 */
export async function fetchSession(database: Database, request: FetchRequest): Promise<LogTail | null> {
  const { sessionId, after, skipIfMoreThan = SEQ_MAX } = request;
  const text = `select seq, hash from ${database.tables.session} where session_id = $1`;
  const [head] = await read<Head>(database, { name: 'parley_head', text, values: [sessionId] });
  if (head === undefined) return null;
  const news = head.seq - after;
  const events =
    news <= 0 || news > skipIfMoreThan
      ? []
      : await readEvents(database, { sessionId, from: after + 1, to: head.seq, maxBytes: undefined });
  return { head, events, more: (events.at(-1)?.seq ?? after) < head.seq };
}
