import { randomBytes } from 'node:crypto';
import { type Database, read, write } from '../database.ts';

/**
 * Reads the secret, and creates it on first use. If several processes create it at the same time, the first one wins, and the
 * others read its secret.
 */
export async function readSecret(database: Database): Promise<string> {
  const { meta } = database.tables;
  const made = `insert into ${meta} (key, value) values ('secret', $1) on conflict (key) do nothing`;
  const find = { text: `select value from ${meta} where key = 'secret'`, values: [] };
  const [known] = await read<{ value: string }>(database, find);
  if (known !== undefined) return known.value;
  await write(database, { text: made, values: [randomBytes(32).toString('hex')] });
  const [kept] = await read<{ value: string }>(database, find);
  if (kept === undefined) throw new Error('the installation secret could not be stored');
  return kept.value;
}
