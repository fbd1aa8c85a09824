import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

const text = ({ document }: Tables): string => `select body from ${document} where session_id = $1 and sha256 = $2`;

export async function readDocument(database: Database, sessionId: string, sha256: string): Promise<string | null> {
  const statement = { name: 'parley_document', text: text(database.tables), values: [sessionId, sha256] };
  const [row] = await read<{ body: string }>(database, statement);
  return row?.body ?? null;
}
