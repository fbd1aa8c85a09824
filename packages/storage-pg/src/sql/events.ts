import {
  BYTES_PER_READ,
  EVENTS_PER_READ,
  type OwnerEvent,
  type OwnerEventsPage,
  type Snapshot,
  type StoredEvent,
  type StoredSnapshot,
} from '@parley/core';
import { type Database, read, write } from '../database/database.ts';
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

interface SnapshotRow {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

const readText = ({ snapshot }: Tables): string =>
  `select seq, hash, body from ${snapshot} where session_id = $1 and fold_version = $2`;

export async function readSnapshot(
  database: Database,
  sessionId: string,
  foldVersion: number,
): Promise<StoredSnapshot | null> {
  const statement = { name: 'parley_snapshot', text: readText(database.tables), values: [sessionId, foldVersion] };
  const [row] = await read<SnapshotRow>(database, statement);
  return row ? { ...row, foldVersion } : null;
}

/**
 * SQL that saves a snapshot. The head row is locked, so that a delete of the session must wait. If the session was
 * deleted, there is no head row and nothing is saved, so a snapshot never exists longer than its session.
 *
 * A failover can remove the last events of a log. A snapshot whose last event is not in the log is not saved; a stored
 * snapshot whose last event is not in the log is replaced. One statement checks both, so that both checks see the same
 * log.
 */
const saveText = ({ session, event, snapshot }: Tables): string => `
with head as materialized (
  select session_id from ${session} where session_id = $1 for key share
), lost as materialized (
  select s.hash from ${snapshot} s
  where s.session_id = $1 and s.fold_version = $2
    and not exists (select from ${event} e where e.session_id = $1 and e.seq = s.seq and e.hash = s.hash)
), old as (
  delete from ${snapshot} where session_id = $1 and fold_version < $2::int - 1
)
insert into ${snapshot} as kept (session_id, fold_version, seq, hash, body)
select head.session_id, $2, e.seq, e.hash, $5
from head join ${event} e on e.session_id = $1 and e.seq = $3 and e.hash = $4
on conflict (session_id, fold_version) do update set seq = excluded.seq, hash = excluded.hash, body = excluded.body
where kept.seq < excluded.seq or kept.hash in (select hash from lost)
returning seq`;

export async function saveSnapshot(database: Database, snapshot: Snapshot): Promise<boolean> {
  const { sessionId, foldVersion, seq, hash, body } = snapshot;
  const statement = { text: saveText(database.tables), values: [sessionId, foldVersion, seq, hash, body] };
  return (await write(database, statement)).length > 0;
}
