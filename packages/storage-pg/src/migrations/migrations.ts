import { createFirstTables } from './0001-first-tables.ts';
import { createSnapshots } from './0002-snapshots.ts';
import { createPresence } from './0003-presence.ts';
import { createInbox } from './0004-inbox.ts';
import { createOwnerEvents } from './0005-owner-events.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  createFirstTables,
  createSnapshots,
  createPresence,
  createInbox,
  createOwnerEvents,
];
