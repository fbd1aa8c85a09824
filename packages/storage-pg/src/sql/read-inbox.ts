import type { InboxCount, InboxEntry, InboxPage, InboxPlace } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { dueKey, keyOf, PER_RANK, rankAndTime } from './inbox-columns.ts';
import { COLUMNS, type SessionRow, toListed } from './list-sessions.ts';

interface EntryRow extends SessionRow {
  readonly hash: string;
  /** Rank and time of the place as one integer. Some drivers return `bigint` as text, and others as a number. */
  readonly inbox_key: string | number;
  readonly inbox_tasks: number | null;
}

const select = ({ session }: Tables): string =>
  `select ${COLUMNS.join(', ')}, hash, inbox_key, inbox_tasks from ${session}`;

/**
 * The first page begins after this `inbox_key`, which is lower than the `inbox_key` of any known place. A session with
 * an unknown place has the `inbox_key` 0, so no page contains the session.
 */
const START = PER_RANK - 1;

/**
 * Reads a page of the inbox. A place of rank 1 to 3 is always in the inbox, and a place of rank 4 when its time has
 * come. In the index, these places come before the places whose time has not come.
 */
export async function pageOfInbox(
  database: Database,
  ownerId: string,
  { limit, dueAt, after }: InboxPage,
): Promise<readonly InboxEntry[]> {
  const text = `${select(database.tables)} where owner_id = $1 and inbox_key <= $2::bigint
    and (inbox_key, session_id) > ($3::bigint, $4::text) order by inbox_key, session_id limit $5`;
  const values = [ownerId, dueKey(dueAt), after ? keyOf(after) : START, after?.sessionId ?? '', limit];
  return (await read<EntryRow>(database, { name: 'parley_inbox', text, values })).map(toEntry);
}

export async function unplacedInInbox(
  database: Database,
  ownerId: string,
  limit: number,
): Promise<readonly InboxEntry[]> {
  const text = `${select(database.tables)} where owner_id = $1 and inbox_key = 0 limit $2`;
  const statement = { name: 'parley_inbox_unplaced', text, values: [ownerId, limit] };
  return (await read<EntryRow>(database, statement)).map(toEntry);
}

export async function countInbox(database: Database, ownerId: string, dueAt: string): Promise<readonly InboxCount[]> {
  const text = `select (inbox_key / ${PER_RANK})::int as rank, count(*)::int as sessions,
      coalesce(sum(inbox_tasks), 0)::int as tasks
    from ${database.tables.session} where owner_id = $1 and inbox_key between 0 and $2::bigint group by 1`;
  return await read<InboxCount>(database, { name: 'parley_inbox_count', text, values: [ownerId, dueKey(dueAt)] });
}

function toEntry({ hash, inbox_key, inbox_tasks, ...session }: EntryRow): InboxEntry {
  const known = rankAndTime(Number(inbox_key));
  const place: InboxPlace | null = known && { ...known, tasks: inbox_tasks ?? 0 };
  return { ...toListed(session), hash, place };
}
