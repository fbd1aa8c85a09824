import type { StoredEvent } from '@parley/core';
import { type Database, read } from '../database.ts';
import type { Tables } from '../tables.ts';
import { SEQ_MAX } from './fetch-sessions.ts';

const text = ({ event }: Tables): string => `
select seq, hash, body from ${event}
where session_id = $1 and seq between $2::int and $3::int
order by seq limit 500`;

export const readEvents = (database: Database, sessionId: string, from: number, to: number) =>
  read<StoredEvent>(database, {
    name: 'parley_events',
    text: text(database.tables),
    values: [sessionId, Math.min(from, SEQ_MAX), Math.min(to, SEQ_MAX)],
  });
