import type { StoredDocument, StoredEvent } from '@parley/core';
import type { PoolClient } from 'pg';
import type { Tables } from '../tables.ts';
import { rowsOf } from './rows.ts';

export interface LogPart {
  readonly sessionId: string;
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
}

/** Inserts events and documents of one session. One statement inserts all events, another one all documents. */
export async function insertLog(
  client: PoolClient,
  { event, document }: Tables,
  { sessionId, events, documents }: LogPart,
): Promise<void> {
  if (events.length > 0) {
    const { text, values } = rowsOf(
      sessionId,
      events.map(({ seq, hash, body }) => [seq, hash, body]),
    );
    await client.query(`insert into ${event} (session_id, seq, hash, body) values ${text}`, values);
  }
  if (documents.length > 0) {
    const { text, values } = rowsOf(
      sessionId,
      documents.map(({ sha256, body }) => [sha256, body]),
    );
    await client.query(
      `insert into ${document} (session_id, sha256, body) values ${text} on conflict (session_id, sha256) do nothing`,
      values,
    );
  }
}
