import type { InboxCount, InboxEntry, InboxNote, InboxPage, InboxPlace } from '@parley/core';
import { type Database, read, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { dueKey, keyOf, PER_RANK, placeValues, rankAndTime } from './columns.ts';
import { COLUMNS, type SessionRow, toListed } from './sessions.ts';

/**
 * SQL that stores the places of many sessions. Skips sessions whose head is not the given head, and sessions that
 * another write has locked, because that write stores a newer place. Locks rows in the same order as an append.
 */
const text = ({ session }: Tables): string => `
with locked as materialized (
  select n.* from unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::int[]) as n(session_id, hash, seq, key, tasks)
  join ${session} s on s.session_id = n.session_id and s.seq = n.seq and s.hash = n.hash
  order by s.session_id
  for no key update of s skip locked
)
update ${session} s set noted_seq = l.seq, noted_key = l.key, inbox_tasks = l.tasks
from locked l where s.session_id = l.session_id and s.seq = l.seq and s.hash = l.hash`;

export async function noteInbox(database: Database, notes: readonly InboxNote[]): Promise<void> {
  const places = notes.map(({ place, head }) => placeValues(place, head.seq));
  const values = [
    notes.map(({ sessionId }) => sessionId),
    notes.map(({ head }) => head.hash),
    ...[0, 1, 2].map((column) => places.map((place) => place[column])),
  ];
  await write(database, { name: 'parley_inbox_note', text: text(database.tables), values });
}

/**
 * Stores the place of a session whose log is broken. Converts `created_at` to UTC first, because Citus refuses updates
 * with functions that depend on settings such as the time zone.
 */
export async function noteBroken(database: Database, sessionId: string): Promise<void> {
  const text = `update ${database.tables.session}
    set noted_seq = seq, noted_key = ${PER_RANK} + (extract(epoch from created_at at time zone 'UTC') * 1000)::bigint, inbox_tasks = 1
    where session_id = $1 and (inbox_key between ${PER_RANK} and ${2 * PER_RANK - 1}) is not true`;
  await write(database, { name: 'parley_inbox_broken', text, values: [sessionId] });
}

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
