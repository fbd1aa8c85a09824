import type { Migration } from './migration.ts';

/**
 * Adds the place of each session in its owner's inbox, as the last append or note gave it, and the number of the event after
 * which it was given. A place is stored as a number, which `keyOf` in `sql/inbox-columns.ts` computes. `inbox_key` is 0,
 * which means unknown, if further events follow that event: so an append of an earlier version makes the place unknown. The
 * places of sessions that exist already are unknown too. `inbox_key` is null if nothing in the session can wait for its
 * owner. An append that does not change the place changes no column of the index, so it stays a heap-only update.
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
