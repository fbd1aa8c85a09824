import type { StoredCall } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

interface CallRow {
  readonly session_id: string;
  readonly role: StoredCall['role'];
  /** Time of the call in milliseconds since 1970. The driver returns it as text, because it is a bigint. */
  readonly at_ms: string;
  readonly is_waiting: boolean;
}

const text = ({ presence }: Tables): string =>
  `select session_id, role, at_ms, is_waiting from ${presence} where session_id = any($1::text[])`;

export async function loadCalls(database: Database, sessionIds: readonly string[]): Promise<readonly StoredCall[]> {
  const statement = { name: 'parley_load_calls', text: text(database.tables), values: [[...sessionIds]] };
  const rows = await read<CallRow>(database, statement);
  return rows.map(({ session_id: sessionId, role, at_ms, is_waiting: isWaiting }) => ({
    sessionId,
    role,
    atMs: Number(at_ms),
    isWaiting,
  }));
}
