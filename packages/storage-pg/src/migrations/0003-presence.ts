import { grantsLike } from '../database/tables.ts';
import type { Migration } from './migration.ts';

/**
 * Adds the table of the latest call of each agent, with one row for each role of a session. Rows may be deleted at any
 * time: the next call of an agent adds its row again. Each database role gets the same rights on this table as on the
 * table of sessions; otherwise a role that may delete sessions could not delete these rows.
 */
export const createPresence: Migration = {
  name: '0003-presence',
  async up(trx, { session, presence }) {
    await trx.raw(`
      create table ${presence} (
        session_id text collate "C" not null,
        role text collate "C" not null,
        at_ms bigint not null,
        is_waiting boolean not null,
        primary key (session_id, role)
      ) with (fillfactor = 70)`);
    const { rows } = await trx.raw<{ rows: { definition: string }[] }>(grantsLike('?::text', '?'), [presence, session]);
    for (const { definition } of rows) await trx.raw(definition);
  },
};
