import type { StoredSnapshot } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

interface SnapshotRow {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

const text = ({ snapshot }: Tables): string =>
  `select seq, hash, body from ${snapshot} where session_id = $1 and fold_version = $2`;

export async function readSnapshot(
  database: Database,
  sessionId: string,
  foldVersion: number,
): Promise<StoredSnapshot | null> {
  const statement = { name: 'parley_snapshot', text: text(database.tables), values: [sessionId, foldVersion] };
  const [row] = await read<SnapshotRow>(database, statement);
  return row ? { ...row, foldVersion } : null;
}
