import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** URL of the PostgreSQL server of this test run. Null if PostgreSQL is not installed. */
export const databaseUrl = inject('databaseUrl');

export async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

export async function newDatabase(server = databaseUrl): Promise<{ url: string; drop(): Promise<void> }> {
  if (server === null) throw new Error('no PostgreSQL server');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await query(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: async () => void (await query(server, `drop database ${name} with (force)`)) };
}
