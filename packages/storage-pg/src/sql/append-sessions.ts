import { type Append, BODY_SEPARATOR } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { dueKey, notedKey, placeValues } from './inbox-columns.ts';

/**
 * SQL for the separator between the bodies of events. Sending all bodies as one text takes less time than sending an
 * array.
 */
const separator = `chr(${BODY_SEPARATOR.charCodeAt(0)})`;

/**
 * SQL that appends to many sessions in one statement, with a compare-and-swap on each head. Heads are locked in a fixed
 * order, so that two batches cannot deadlock. An append whose head is locked fails at once (`skip locked`), so that one
 * session does not delay all others.
 */
const text = ({ session, event, document }: Tables): string => `
with locked as materialized (
  select w.*
  from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[],
    $8::int[], $9::bigint[], $10::int[])
    as w(session_id, seq, hash, new_seq, new_hash, status, phase, noted_seq, noted_key, inbox_tasks)
  join ${session} s on s.session_id = w.session_id and s.seq = w.seq and s.hash = w.hash
  order by s.session_id
  for no key update of s skip locked
), won as (
  update ${session} s set seq = l.new_seq, hash = l.new_hash, status = l.status, phase = l.phase,
    noted_seq = l.noted_seq, noted_key = ${notedKey('l.noted_key', '$11::bigint')}, inbox_tasks = l.inbox_tasks
  from locked l
  where s.session_id = l.session_id and s.seq = l.seq and s.hash = l.hash
  returning s.session_id
), event as (
  insert into ${event} (session_id, seq, hash, body)
  select e.session_id, e.seq, e.hash, e.body
  from unnest($12::text[], $13::int[], $14::text[], string_to_array($15::text, ${separator})) as e(session_id, seq, hash, body)
  join won on won.session_id = e.session_id
), document as (
  insert into ${document} (session_id, sha256, body)
  select d.session_id, d.sha256, d.body
  from unnest($16::text[], $17::text[], $18::text[]) as d(session_id, sha256, body)
  join won on won.session_id = d.session_id
  on conflict (session_id, sha256) do nothing
)
select session_id from won`;

function valuesOf(group: readonly Append[]): readonly unknown[] {
  // The members are copied one by one, because V8 adds a member to a copied object slowly.
  const heads = group.map(({ sessionId, expected, listing, place, events }) => {
    return { sessionId, expected, listing, place, last: events.at(-1) ?? expected };
  });
  const places = heads.map(({ place, last }) => placeValues(place, last.seq));
  const events = group.flatMap(({ sessionId, events }) => events.map((event) => ({ sessionId, ...event })));
  const documents = group.flatMap(({ sessionId, documents }) => documents.map((each) => ({ sessionId, ...each })));
  return [
    heads.map(({ sessionId }) => sessionId),
    heads.map(({ expected }) => expected.seq),
    heads.map(({ expected }) => expected.hash),
    heads.map(({ last }) => last.seq),
    heads.map(({ last }) => last.hash),
    heads.map(({ listing }) => listing.status),
    heads.map(({ listing }) => listing.phase),
    ...[0, 1, 2].map((column) => places.map((values) => values[column])),
    dueKey(new Date().toISOString()),
    events.map(({ sessionId }) => sessionId),
    events.map(({ seq }) => seq),
    events.map(({ hash }) => hash),
    events.map(({ body }) => body).join(BODY_SEPARATOR),
    documents.map(({ sessionId }) => sessionId),
    documents.map(({ sha256 }) => sha256),
    documents.map(({ body }) => body),
  ];
}

/**
 * Appends to many sessions in one statement.
 *
 * @param group the appends, each to a different session
 * @returns for each append whether its compare-and-swap on the head succeeded
 */
export async function appendSessions(database: Database, group: readonly Append[]): Promise<readonly boolean[]> {
  const statement = { name: 'parley_append', text: text(database.tables), values: valuesOf(group) };
  const won = new Set((await write<{ session_id: string }>(database, statement)).map((row) => row.session_id));
  return group.map(({ sessionId }) => won.has(sessionId));
}
