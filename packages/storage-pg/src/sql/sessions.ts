import {
  type Append,
  BODY_SEPARATOR,
  BYTES_PER_READ,
  EVENTS_PER_READ,
  GENESIS,
  type Head,
  type ListedSession,
  type ListPage,
  type LogTail,
  type NewSession,
  type OwnerUse,
  type StoredCall,
  type StoredDocument,
  type StoredEvent,
} from '@parley/core';
import { type Database, read, transact, write } from '../database/database.ts';
import { SESSION_TABLES, type Tables } from '../database/tables.ts';
import {
  CHANGING,
  dueKey,
  LISTING_NAMES,
  listingOf,
  notedKey,
  pageOf,
  placeValues,
  SELECTED_LISTING,
  valuesOfListing,
} from './columns.ts';

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
const appendText = ({ session, event, document }: Tables): string => `
with locked as materialized (
  select w.*
  from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::text[], $6::int[], $7::bigint[], $8::int[],
    ${CHANGING.map(({ type }, index) => `$${17 + index}::${type}[]`).join(', ')})
    as w(session_id, seq, hash, new_seq, new_hash, noted_seq, noted_key, inbox_tasks,
      ${CHANGING.map(({ name }) => name).join(', ')})
  join ${session} s on s.session_id = w.session_id and s.seq = w.seq and s.hash = w.hash
  order by s.session_id
  for no key update of s skip locked
), won as (
  update ${session} s set seq = l.new_seq, hash = l.new_hash,
    noted_seq = l.noted_seq, noted_key = ${notedKey('l.noted_key', '$9::bigint')}, inbox_tasks = l.inbox_tasks,
    ${CHANGING.map(({ name }) => `${name} = l.${name}`).join(', ')}
  from locked l
  where s.session_id = l.session_id and s.seq = l.seq and s.hash = l.hash
  returning s.session_id
), event as (
  insert into ${event} (session_id, seq, hash, body)
  select e.session_id, e.seq, e.hash, e.body
  from unnest($10::text[], $11::int[], $12::text[], string_to_array($13::text, ${separator})) as e(session_id, seq, hash, body)
  join won on won.session_id = e.session_id
), document as (
  insert into ${document} (session_id, sha256, body)
  select d.session_id, d.sha256, d.body
  from unnest($14::text[], $15::text[], $16::text[]) as d(session_id, sha256, body)
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
    ...[0, 1, 2].map((column) => places.map((values) => values[column])),
    dueKey(new Date().toISOString()),
    events.map(({ sessionId }) => sessionId),
    events.map(({ seq }) => seq),
    events.map(({ hash }) => hash),
    events.map(({ body }) => body).join(BODY_SEPARATOR),
    documents.map(({ sessionId }) => sessionId),
    documents.map(({ sha256 }) => sha256),
    documents.map(({ body }) => body),
    ...CHANGING.map(({ member }) => heads.map(({ listing }) => listing[member])),
  ];
}

/**
 * Appends to many sessions in one statement.
 *
 * @param group the appends, each to a different session
 * @returns for each append whether its compare-and-swap on the head succeeded
 */
export async function appendSessions(database: Database, group: readonly Append[]): Promise<readonly boolean[]> {
  const statement = { name: 'parley_append', text: appendText(database.tables), values: valuesOf(group) };
  const won = new Set((await write<{ session_id: string }>(database, statement)).map((row) => row.session_id));
  return group.map(({ sessionId }) => won.has(sessionId));
}

/** The columns of the row of a new session. */
const NEW_COLUMNS = [
  ...['session_id', 'owner_id', ...LISTING_NAMES, 'seq', 'hash'],
  ...['noted_seq', 'noted_key', 'inbox_tasks'],
];

/** SQL that inserts the row of a new session, with the parameters of {@link newRow}. */
export const insertText = ({ session }: Tables): string =>
  `insert into ${session} (${NEW_COLUMNS.join(', ')}) values (${NEW_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`;

export function newRow({ session, events }: NewLog): readonly unknown[] {
  const { sessionId, ownerId, listing, place } = session;
  const last = events.at(-1) ?? GENESIS;
  return [sessionId, ownerId, ...valuesOfListing(listing), last.seq, last.hash, ...placeValues(place, last.seq)];
}

/** A session to insert, with its first events and documents. */
export interface NewLog {
  readonly session: NewSession;
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
}

const createText = (tables: Tables): string => {
  const [seqs, hashes, bodies, sha256s, texts] = [1, 2, 3, 4, 5].map((after) => `$${NEW_COLUMNS.length + after}`);
  return `
with session as (
  ${insertText(tables)}
), event as (
  insert into ${tables.event} (session_id, seq, hash, body)
  select $1, e.seq, e.hash, e.body from unnest(${seqs}::int[], ${hashes}::text[], ${bodies}::text[]) as e(seq, hash, body)
)
insert into ${tables.document} (session_id, sha256, body)
select $1, d.sha256, d.body from unnest(${sha256s}::text[], ${texts}::text[]) as d(sha256, body)
on conflict (session_id, sha256) do nothing`;
};

export async function createSession(database: Database, log: NewLog): Promise<void> {
  const { events, documents } = log;
  const values = [
    ...newRow(log),
    ...[events.map(({ seq }) => seq), events.map(({ hash }) => hash), events.map(({ body }) => body)],
    ...[documents.map(({ sha256 }) => sha256), documents.map(({ body }) => body)],
  ];
  await write(database, { text: createText(database.tables), values });
}

/**
 * Deletes a session. Deletes the head row first, so that no later append can succeed and the following statements find
 * all stored rows. A single statement for all tables would miss the events of a concurrent append.
 *
 * @param head if the log has another head, nothing is deleted
 */
export async function deleteSession(database: Database, sessionId: string, head?: Head): Promise<boolean> {
  const { tables } = database;
  return transact(database, async ({ query }) => {
    const values = [sessionId];
    const isAtHead = head ? ' and seq = $2 and hash = $3' : '';
    const { rowCount } = await query({
      text: `delete from ${tables.session} where session_id = $1${isAtHead}`,
      values: head ? [sessionId, head.seq, head.hash] : values,
    });
    if (rowCount === 0) return false;
    for (const name of SESSION_TABLES.slice(1)) {
      await query({ text: `delete from ${tables[name]} where session_id = $1`, values });
    }
    return true;
  });
}

export interface FetchRequest {
  readonly sessionId: string;
  readonly after: number;
  /** If more than this number of events come after event `after`, the fetch returns the head without events. */
  readonly skipIfMoreThan: number | undefined;
}

/** The largest event number that the tables can store. */
export const SEQ_MAX = 2 ** 31 - 1;

interface FetchRow {
  readonly head_seq: number;
  readonly head_hash: string;
  readonly seq: number | null;
  readonly hash: string;
  readonly body: string;
}

/** SQL that fetches many sessions in one statement. For a session without new events, it reads only the head row. */
const fetchText = ({ session, event }: Tables): string => `
select w.n::int as n, s.seq as head_seq, s.hash as head_hash, e.seq, e.hash, e.body
from unnest($1::text[], $2::int[], $3::int[]) with ordinality as w(session_id, after, most, n)
join ${session} s on s.session_id = w.session_id
left join lateral (${pageOf(
  `select e.seq, e.hash, e.body from ${event} e
  where s.seq > w.after and s.seq - w.after <= w.most and e.session_id = w.session_id and e.seq > w.after
  order by e.seq limit ${EVENTS_PER_READ}`,
  '$4',
)}) e on true
order by w.n, e.seq`;

export async function fetchSessions(
  database: Database,
  group: readonly FetchRequest[],
): Promise<readonly (LogTail | null)[]> {
  const values = [
    group.map(({ sessionId }) => sessionId),
    group.map(({ after }) => Math.min(after, SEQ_MAX)),
    group.map(({ skipIfMoreThan = SEQ_MAX }) => skipIfMoreThan),
    Math.ceil(BYTES_PER_READ / group.length),
  ];
  const rows = await read<FetchRow & { readonly n: number }>(database, {
    name: 'parley_fetch',
    text: fetchText(database.tables),
    values,
  });
  const rowsOf: FetchRow[][] = group.map(() => []);
  for (const row of rows) rowsOf[row.n - 1]?.push(row);
  return group.map((request, index) => readTail(request, rowsOf[index] ?? []));
}

function readTail({ after }: FetchRequest, rows: readonly FetchRow[]): LogTail | null {
  const [first] = rows;
  if (first === undefined) return null;
  const head = { seq: first.head_seq, hash: first.head_hash };
  const events = rows.flatMap(({ seq, hash, body }) => (seq === null ? [] : [{ seq, hash, body }]));
  const { seq } = events.at(-1) ?? { seq: after };
  return { head, events, more: seq < head.seq };
}

export interface SessionRow {
  readonly session_id: string;
  readonly seq: number;
  /** The listing, as `SELECTED_LISTING` selects it. */
  readonly [column: string]: unknown;
}

export const COLUMNS = ['session_id', 'seq', ...SELECTED_LISTING];

/** Lists a page of sessions. Finds the start of the page by its key, so a late page takes no longer than the first. */
export async function listSessions(
  database: Database,
  ownerId: string,
  { limit, after }: ListPage,
): Promise<readonly ListedSession[]> {
  const { session } = database.tables;
  const afterLast =
    after === undefined
      ? ''
      : `and (created_at, session_id) < (
           select created_at, session_id from ${session} where owner_id = $1 and session_id = $3)`;
  const text = `select ${COLUMNS.join(', ')} from ${session} where owner_id = $1 ${afterLast}
    order by created_at desc, session_id desc limit $2`;
  const values = [ownerId, limit, ...(after === undefined ? [] : [after])];
  return (await read<SessionRow>(database, { text, values })).map(toListed);
}

/** Finds a session of an owner. Returns `null` for an unknown session and for a session of another owner. */
export async function findSession(
  database: Database,
  ownerId: string,
  sessionId: string,
): Promise<ListedSession | null> {
  const text = `select ${COLUMNS.join(', ')} from ${database.tables.session} where session_id = $1 and owner_id = $2`;
  const [row] = await read<SessionRow>(database, { text, values: [sessionId, ownerId] });
  return row ? toListed(row) : null;
}

export const toListed = (row: SessionRow): ListedSession => ({
  sessionId: row.session_id,
  ...listingOf(row),
  seq: row.seq,
});

type UsageRow = Readonly<Record<keyof OwnerUse, string>>;

/**
 * Counts the sessions of an owner, their events and their bytes. `octet_length` reads only the stored length of a long
 * text. The counts are separate subqueries, so that an event is not counted once for each document.
 */
export async function readUsage(database: Database, ownerId: string): Promise<OwnerUse> {
  const { session, event, document } = database.tables;
  const bytesOf = (table: string): string => `
    select coalesce(sum(octet_length(t.body)), 0) as bytes
    from ${session} s join ${table} t on t.session_id = s.session_id where s.owner_id = $1`;
  const text = `
    select a.sessions, a.events, b.bytes + c.bytes as bytes
    from (select count(*) as sessions, coalesce(sum(seq), 0) as events from ${session} where owner_id = $1) a,
      (${bytesOf(event)}) b, (${bytesOf(document)}) c`;
  const [row] = await read<UsageRow>(database, { text, values: [ownerId] });
  return { sessions: Number(row?.sessions), events: Number(row?.events), bytes: Number(row?.bytes) };
}

interface CallRow {
  readonly session_id: string;
  readonly role: StoredCall['role'];
  /** Time of the call in milliseconds since 1970. The driver returns it as text, because it is a bigint. */
  readonly at_ms: string;
  readonly is_waiting: boolean;
}

const loadText = ({ presence }: Tables): string =>
  `select session_id, role, at_ms, is_waiting from ${presence} where session_id = any($1::text[])`;

export async function loadCalls(database: Database, sessionIds: readonly string[]): Promise<readonly StoredCall[]> {
  const statement = { name: 'parley_load_calls', text: loadText(database.tables), values: [[...sessionIds]] };
  const rows = await read<CallRow>(database, statement);
  return rows.map(({ session_id: sessionId, role, at_ms, is_waiting: isWaiting }) => ({
    sessionId,
    role,
    atMs: Number(at_ms),
    isWaiting,
  }));
}

/**
 * SQL that stores the latest call of each agent. A stored call is not replaced by an earlier call. Head rows are
 * locked, so that a delete of a session must wait. Nothing is stored for a deleted session, which has no head row. Rows
 * are locked in a fixed order, so that two processes cannot deadlock.
 */
const saveText = ({ session, presence }: Tables): string => `
with calls as materialized (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[]) as c(session_id, role, at_ms, is_waiting)
), heads as materialized (
  select s.session_id from ${session} s where s.session_id in (select session_id from calls)
  order by s.session_id for key share of s
)
insert into ${presence} as kept (session_id, role, at_ms, is_waiting)
select c.session_id, c.role, c.at_ms, c.is_waiting from calls c join heads using (session_id)
order by c.session_id, c.role
on conflict (session_id, role) do update set at_ms = excluded.at_ms, is_waiting = excluded.is_waiting
where kept.at_ms < excluded.at_ms`;

export async function saveCalls(database: Database, calls: readonly StoredCall[]): Promise<void> {
  const values = [
    calls.map(({ sessionId }) => sessionId),
    calls.map(({ role }) => role),
    calls.map(({ atMs }) => atMs),
    calls.map(({ isWaiting }) => isWaiting),
  ];
  await write(database, { name: 'parley_save_calls', text: saveText(database.tables), values });
}
