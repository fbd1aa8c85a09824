import { grantsLike } from '../database/tables.ts';
import type { Migration } from './migration.ts';

/**
 * Adds the table of snapshots of folded sessions. A snapshot may be deleted at any time, because the log is the source
 * of truth. Each database role gets the same rights on this table as on the table of sessions; otherwise a role that
 * may delete sessions could not delete their snapshots.
 */
export const createSnapshots: Migration = {
  name: '0002-snapshots',
  async up(trx, { session, snapshot }) {
    await trx.raw(`
      create table ${snapshot} (
        session_id text collate "C" not null,
        fold_version int not null,
        seq int not null,
        hash text collate "C" not null,
        body text not null,
        primary key (session_id, fold_version)
      )`);
    const { rows } = await trx.raw<{ rows: { definition: string }[] }>(grantsLike('?::text', '?'), [snapshot, session]);
    for (const { definition } of rows) await trx.raw(definition);
  },
};
