import type { Snapshot, StoredSnapshot } from '@parley/core';
import { type Database, read, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

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
