import { BYTES_PER_READ, EVENTS_PER_READ, type StoredEvent } from '@parley/core';
import { type Database, read } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { SEQ_MAX } from './fetch-sessions.ts';
import { pageOf } from './page-of-events.ts';

const text = ({ event }: Tables): string => `
${pageOf(
  `select seq, hash, body from ${event}
where session_id = $1 and seq between $2::int and $3::int
order by seq limit ${EVENTS_PER_READ}`,
  '$4',
)}
order by seq`;

interface EventsRequest {
  readonly sessionId: string;
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number | undefined;
}

export const readEvents = (database: Database, { sessionId, from, to, maxBytes = BYTES_PER_READ }: EventsRequest) =>
  read<StoredEvent>(database, {
    name: 'parley_events',
    text: text(database.tables),
    values: [sessionId, Math.min(from, SEQ_MAX), Math.min(to, SEQ_MAX), maxBytes],
  });
