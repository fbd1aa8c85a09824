import { GENESIS, type NewSession, type StoredDocument, type StoredEvent } from '@parley/core';
import { type Database, write } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { placeValues } from './inbox-columns.ts';

/** A session to insert, with its first events and documents. */
export interface NewLog {
  readonly session: NewSession;
  readonly events: readonly StoredEvent[];
  readonly documents: readonly StoredDocument[];
}

const text = ({ session, event, document }: Tables): string => `
with session as (
  insert into ${session} (session_id, owner_id, title, status, phase, created_at, seq, hash,
    noted_seq, noted_key, inbox_tasks)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $14, $15, $16)
), event as (
  insert into ${event} (session_id, seq, hash, body)
  select $1, e.seq, e.hash, e.body from unnest($9::int[], $10::text[], $11::text[]) as e(seq, hash, body)
)
insert into ${document} (session_id, sha256, body)
select $1, d.sha256, d.body from unnest($12::text[], $13::text[]) as d(sha256, body)
on conflict (session_id, sha256) do nothing`;

export async function createSession(database: Database, { session, events, documents }: NewLog): Promise<void> {
  const { sessionId, ownerId, listing, place } = session;
  const last = events.at(-1) ?? GENESIS;
  const values = [
    ...[sessionId, ownerId, listing.title, listing.status, listing.phase, listing.createdAt, last.seq, last.hash],
    ...[events.map(({ seq }) => seq), events.map(({ hash }) => hash), events.map(({ body }) => body)],
    ...[documents.map(({ sha256 }) => sha256), documents.map(({ body }) => body)],
    ...placeValues(place, last.seq),
  ];
  await write(database, { text: text(database.tables), values });
}
