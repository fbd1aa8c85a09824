import type { Knex } from 'knex';
import type { Tables } from '../database/tables.ts';

/** A migration. Its name begins with its number. Once released, it is never edited or removed. */
export interface Migration {
  readonly name: string;
  up(trx: Knex, tables: Tables): Promise<void>;
}
