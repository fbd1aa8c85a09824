import type { Knex } from 'knex';
import { grantsLike, type Tables } from '../database/tables.ts';
import { atOf, isByOwner, kindOf, personOf } from '../sql/columns.ts';

/** A migration. Its name begins with its number. Once released, it is never edited or removed. */
export interface Migration {
  readonly name: string;
  up(trx: Knex, tables: Tables): Promise<void>;
}

/**
 * Creates the first tables. Their keys begin with the session id, so that the tables can be distributed by it. Bodies
 * are text, because jsonb would not return the bytes that were hashed. The head row is updated in place: its pages have
 * free space, and no index contains the columns that change.
 */
const createFirstTables: Migration = {
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

/**
 * Adds the table of snapshots of folded sessions. A snapshot may be deleted at any time, because the log is the source
 * of truth. Each database role gets the same rights on this table as on the table of sessions; otherwise a role that
 * may delete sessions could not delete their snapshots.
 */
const createSnapshots: Migration = {
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

/**
 * Adds the table of the latest call of each agent, with one row for each role of a session. Rows may be deleted at any
 * time: the next call of an agent adds its row again. Each database role gets the same rights on this table as on the
 * table of sessions; otherwise a role that may delete sessions could not delete these rows.
 */
const createPresence: Migration = {
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

/**
 * Adds columns for the place of each session in its owner's inbox. An append, or `noteInbox` of the storage, sets
 * `noted_key`, the place as a number (`keyOf` in `sql/columns.ts`), and `noted_seq`, the number of the session's
 * last event at that time. `inbox_key` is `noted_key`, or 0 for an unknown place: in existing sessions, and after an
 * append of an earlier version of Parley, which does not set `noted_seq`. `inbox_key` is null if nothing in the session
 * can wait for its owner. An append that leaves the place unchanged changes no column of the index, so it stays a
 * heap-only update.
 */
const createInbox: Migration = {
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

/**
 * Adds an index of the events that owners have caused, by time, for the audit. It is computed from the texts of the
 * events, so it contains the events of all earlier versions, and an append of an earlier version adds its events too.
 * The last two columns let a filter skip an event without reading its text.
 */
const createOwnerEvents: Migration = {
  name: '0005-owner-events',
  async up(trx, { event }) {
    await trx.raw(`
      create index parley_event_of_owner on ${event}
        (${atOf('body')}, session_id, seq, (${kindOf('body')}), (${personOf('body')}))
      where ${isByOwner('body')}`);
  },
};

export const MIGRATIONS: readonly Migration[] = [
  createFirstTables,
  createSnapshots,
  createPresence,
  createInbox,
  createOwnerEvents,
];
