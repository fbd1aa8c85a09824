import type { InboxNote } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { PER_RANK, placeValues } from './inbox-columns.ts';

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
