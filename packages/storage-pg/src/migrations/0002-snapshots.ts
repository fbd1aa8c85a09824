import type { Migration } from './migrations.ts';

/** Folded sessions to begin from. Any of them may be deleted at any time: the log is the truth. */
export const createSnapshots: Migration = {
  name: '0002-snapshots',
  async up(trx, { snapshot }) {
    await trx.raw(`
      create table ${snapshot} (
        session_id text collate "C" not null,
        fold_version int not null,
        seq int not null,
        hash text collate "C" not null,
        body text not null,
        primary key (session_id, fold_version)
      )`);
  },
};
