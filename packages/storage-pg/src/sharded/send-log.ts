import type { StoredDocument, StoredEvent } from '@parley/core';
import type { Transaction } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { rowsOf } from './rows.ts';

export interface LogPart {
  readonly sessionId: string;
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
}

/**
 * Maximum number of rows in a prepared statement. Larger statements are rare, and each number of rows needs another
 * prepared statement.
 */
const PREPARED_ROWS = 8;

/** Inserts events and documents of one session, with one statement for all events and one for all documents. */
export function sendLog(
  transaction: Transaction,
  { event, document }: Tables,
  { sessionId, events, documents }: LogPart,
): void {
  if (events.length > 0) {
    const { text, values } = rowsOf(
      sessionId,
      events.map(({ seq, hash, body }) => [seq, hash, body]),
    );
    const name = events.length <= PREPARED_ROWS ? { name: `parley_insert_${events.length}` } : {};
    transaction.send({ ...name, text: `insert into ${event} (session_id, seq, hash, body) values ${text}`, values });
  }
  if (documents.length > 0) {
    const { text, values } = rowsOf(
      sessionId,
      documents.map(({ sha256, body }) => [sha256, body]),
    );
    transaction.send({
      text: `insert into ${document} (session_id, sha256, body) values ${text} on conflict (session_id, sha256) do nothing`,
      values,
    });
  }
}
