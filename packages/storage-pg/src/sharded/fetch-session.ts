import { BYTES_PER_READ, EVENTS_PER_READ, type LogTail } from '@parley/core';
import { type Database, read } from '../database.ts';
import { type FetchRequest, type FetchRow, readTail, SEQ_MAX } from '../sql/fetch-sessions.ts';
import { pageOf } from '../sql/page-of-events.ts';
import type { Tables } from '../tables.ts';

const text = ({ session, event }: Tables): string => `
select s.seq as head_seq, s.hash as head_hash, e.seq, e.hash, e.body
from ${session} s
left join lateral (${pageOf(
  `select e.seq, e.hash, e.body from ${event} e
  where e.session_id = s.session_id and e.seq > $2::int and s.seq - $2::int <= $3::int
  order by e.seq limit ${EVENTS_PER_READ}`,
  '$4',
)}) e on true
where s.session_id = $1
order by e.seq`;

/** Runs one fetch. Its statement names the session. */
export async function fetchSession(database: Database, request: FetchRequest): Promise<LogTail | null> {
  const { sessionId, after, skipIfMoreThan = SEQ_MAX } = request;
  const values = [sessionId, Math.min(after, SEQ_MAX), skipIfMoreThan, BYTES_PER_READ];
  return readTail(
    request,
    await read<FetchRow>(database, { name: 'parley_fetch_one', text: text(database.tables), values }),
  );
}
