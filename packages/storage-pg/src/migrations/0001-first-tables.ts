import type { Migration } from './migration.ts';

/**
 * Creates the first tables. Their keys begin with the session id, so that the tables can be distributed by it. Bodies
 * are text, because jsonb would not return the bytes that were hashed. The head row is updated in place: its pages have
 * free space, and no index contains the columns that change.
 */
export const createFirstTables: Migration = {
  name: '0001-first-tables',
  async up(trx, { session, event, document, rate }) {
    await trx.raw(`
      create table ${session} (
        session_id text collate "C" primary key,
        owner_id text collate "C" not null,
        title text not null,
        status text not null,
        phase text not null,
        created_at timestamptz not null,
        seq int not null,
        hash text collate "C" not null
      ) with (fillfactor = 70)`);
    await trx.raw(`create index parley_session_owner on ${session} (owner_id, created_at desc, session_id desc)`);
    await trx.raw(`
      create table ${event} (
        session_id text collate "C" not null,
        seq int not null,
        hash text collate "C" not null,
        body text not null,
        primary key (session_id, seq)
      )`);
    await trx.raw(`
      create table ${document} (
        session_id text collate "C" not null,
        sha256 text collate "C" not null,
        body text not null,
        primary key (session_id, sha256)
      )`);
    await trx.raw(`
      create unlogged table ${rate} (
        bucket text collate "C" not null,
        window_ms int not null,
        win bigint not null,
        n int not null,
        primary key (bucket, window_ms, win)
      )`);
  },
};
