import type { Migration } from './migration.ts';

/**
 * Adds columns for the place of each session in its owner's inbox. An append, or `noteInbox` of the storage, sets
 * `noted_key`, the place as a number (`keyOf` in `sql/inbox-columns.ts`), and `noted_seq`, the number of the session's
 * last event at that time. `inbox_key` is `noted_key`, or 0 for an unknown place: in existing sessions, and after an
 * append of an earlier version of Parley, which does not set `noted_seq`. `inbox_key` is null if nothing in the session
 * can wait for its owner. An append that leaves the place unchanged changes no column of the index, so it stays a
 * heap-only update.
 */
export const createInbox: Migration = {
  name: '0004-inbox',
  async up(trx, { session }) {
    await trx.raw(`
      alter table ${session}
        add column noted_seq int,
        add column noted_key bigint,
        add column inbox_tasks int,
        add column inbox_key bigint
          generated always as (case when noted_seq = seq then noted_key else 0 end) stored`);
    await trx.raw(`
      create index parley_session_inbox on ${session} (owner_id, inbox_key, session_id)
      where inbox_key is not null`);
  },
};
