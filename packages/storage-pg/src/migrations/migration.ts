import type { Knex } from 'knex';
import type { Tables } from '../tables.ts';

/** Numbered. Never edited or removed once released. */
export interface Migration {
  readonly name: string;
  up(trx: Knex, tables: Tables): Promise<void>;
}
