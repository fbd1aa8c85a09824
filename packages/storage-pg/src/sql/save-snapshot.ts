import type { Snapshot } from '@parley/core';
import { type Database, write } from '../database.ts';
import type { Tables } from '../tables.ts';

/**
 * Locks the head row, so that a delete waits, and finds no row after a delete: a snapshot never outlives its session.
 * The join with the events refuses a snapshot of an event that a failover removed, and replaces a stored snapshot of
 * such an event. Event and stored snapshot are read in the same statement, so that a snapshot whose event exists never
 * counts as lost.
 */
const text = ({ session, event, snapshot }: Tables): string => `
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
  const statement = { text: text(database.tables), values: [sessionId, foldVersion, seq, hash, body] };
  return (await write(database, statement)).length > 0;
}
