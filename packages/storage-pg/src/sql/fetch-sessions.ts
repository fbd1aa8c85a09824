import { BYTES_PER_READ, EVENTS_PER_READ, type LogTail } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { pageOf } from './page-of-events.ts';

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
const text = ({ session, event }: Tables): string => `
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
    text: text(database.tables),
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
