import type { Knex } from 'knex';
import type { Tables } from '../tables.ts';

/** Numbered, never edited once released, never removed. */
export interface Migration {
  readonly name: string;
  up(trx: Knex, tables: Tables): Promise<void>;
}
