import { createFirstTables } from './0001-first-tables.ts';
import { createSnapshots } from './0002-snapshots.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [createFirstTables, createSnapshots];
