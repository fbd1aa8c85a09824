import { grantsLike } from '../grants.ts';
import type { Migration } from './migration.ts';

/**
 * Folded sessions to begin from. Any of them may be deleted at any time: the log is the truth. Who writes sessions must
 * be able to erase their snapshots, or no session could be deleted any more.
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
