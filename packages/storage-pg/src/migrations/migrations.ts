import type { Knex } from 'knex';
import type { Tables } from '../tables.ts';
import { createFirstTables } from './0001-first-tables.ts';
import { createSnapshots } from './0002-snapshots.ts';

/** Numbered, never edited once released, never removed. */
export interface Migration {
  readonly name: string;
  up(trx: Knex, tables: Tables): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [createFirstTables, createSnapshots];
