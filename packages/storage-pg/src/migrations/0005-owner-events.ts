import { atOf, isByOwner, kindOf, personOf } from '../sql/columns.ts';
import type { Migration } from './migration.ts';

/**
 * Adds an index of the events that owners have caused, by time, for the audit. It is computed from the texts of the
 * events, so it contains the events of all earlier versions, and an append of an earlier version adds its events too.
 * The last two columns let a filter skip an event without reading its text.
 */
export const createOwnerEvents: Migration = {
  name: '0005-owner-events',
  async up(trx, { event }) {
    await trx.raw(`
      create index parley_event_of_owner on ${event}
        (${atOf('body')}, session_id, seq, (${kindOf('body')}), (${personOf('body')}))
      where ${isByOwner('body')}`);
  },
};
