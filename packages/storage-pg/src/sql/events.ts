import { BYTES_PER_READ, EVENTS_PER_READ, type OwnerEvent, type OwnerEventsPage, type StoredEvent } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { atOf, isByOwner, kindOf, pageOf, personOf } from './columns.ts';
import { SEQ_MAX } from './sessions.ts';

const documentText = ({ document }: Tables): string =>
  `select body from ${document} where session_id = $1 and sha256 = $2`;

export async function readDocument(database: Database, sessionId: string, sha256: string): Promise<string | null> {
  const statement = { name: 'parley_document', text: documentText(database.tables), values: [sessionId, sha256] };
  const [row] = await read<{ body: string }>(database, statement);
  return row?.body ?? null;
}

const eventsText = ({ event }: Tables): string => `
${pageOf(
  `select seq, hash, body from ${event}
where session_id = $1 and seq between $2::int and $3::int
order by seq limit ${EVENTS_PER_READ}`,
  '$4',
)}
order by seq`;

interface EventsRequest {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number | undefined;
}

export const readEvents = (database: Database, { sessionId, from, to, maxBytes = BYTES_PER_READ }: EventsRequest) =>
  read<StoredEvent>(database, {
    name: 'parley_events',
    text: eventsText(database.tables),
    values: [sessionId, Math.min(from, SEQ_MAX), Math.min(to, SEQ_MAX), maxBytes],
  });

interface EventRow {
  readonly session_id: string;
  readonly title: string;
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

/**
 * Reads events of owners in the order of the index of migration 0005. The limit is part of the statement's text: if it
 * were a parameter, PostgreSQL would plan for a tenth of all events, and would sort them.
 */
export async function readOwnerEvents(
  database: Database,
  ownerIds: readonly string[],
  { order, limit, after, ...filter }: OwnerEventsPage,
): Promise<readonly OwnerEvent[]> {
  const { session, event } = database.tables;
  const values: unknown[] = [ownerIds];
  const value = (each: unknown): string => `$${values.push(each)}`;
  const [body, direction, follows] = ['e.body', order === 'newest' ? 'desc' : 'asc', order === 'newest' ? '<' : '>'];
  const conditions = [isByOwner(body), 's.owner_id = any($1::text[])'];
  if (after)
    conditions.push(
      `(${atOf(body)}, e.session_id, e.seq) ${follows} (${value(after.at)}::text, ${value(after.sessionId)}::text, ${value(after.seq)}::int)`,
    );
  if (filter.from !== undefined) conditions.push(`${atOf(body)} >= ${value(filter.from)}::text`);
  if (filter.to !== undefined) conditions.push(`${atOf(body)} < ${value(filter.to)}::text`);
  if (filter.sessionId !== undefined) conditions.push(`e.session_id = ${value(filter.sessionId)}::text`);
  if (filter.kind !== undefined) conditions.push(`${kindOf(body)} = ${value(filter.kind)}::text`);
  if (filter.personId !== undefined)
    conditions.push(`${personOf(body)} = ${value(JSON.stringify(filter.personId))}::text`);
  const inOrder = (columns: readonly string[]): string => columns.map((column) => `${column} ${direction}`).join(', ');
  const found = `select e.session_id, s.title, e.seq, e.hash, e.body, ${atOf(body)} as at
    from ${event} e join ${session} s on s.session_id = e.session_id
    where ${conditions.join(' and ')}
    order by ${inOrder([atOf(body), 'e.session_id', 'e.seq'])} limit ${Math.trunc(limit)}`;
  const columns = inOrder(['at', 'session_id', 'seq']);
  const text = `select session_id, title, seq, hash, body from (
      select found.*, sum(octet_length(body)) over (order by ${columns}) - octet_length(body) as bytes_before
      from (${found}) found) counted
    where bytes_before < ${BYTES_PER_READ} order by ${columns}`;
  const rows = await read<EventRow>(database, { text, values });
  return rows.map(({ session_id, ...row }) => ({ sessionId: session_id, ...row }));
}
