import { randomBytes } from 'node:crypto';
import { type Database, read, write } from '../database/database.ts';

/**
 * Reads the secret of the installation, and creates it on first use. If several processes create a secret at the same
 * time, all of them get the secret that was stored first.
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
