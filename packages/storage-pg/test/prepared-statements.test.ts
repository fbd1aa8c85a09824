import { Client } from 'pg';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPgBouncer } from '../../../scripts/pgbouncer-server.ts';
import { createPostgresStorage } from '../src/index.ts';
import { databaseUrl, newDatabase } from './new-database.ts';

const pooler = databaseUrl === null ? null : await startPgBouncer(databaseUrl);
afterAll(async () => void (await pooler?.stop()));

/** Whether a storage that was told nothing names the statement of a fetch. */
async function namesItsFetch(connectionString: string, direct = connectionString): Promise<boolean> {
  const spy = vi.spyOn(Client.prototype, 'query');
  const storage = await createPostgresStorage({ connectionString, hintConnectionString: direct });
  onTestFinished(async () => {
    await storage.close();
    spy.mockRestore();
  });
  expect(await storage.fetch('nobody', 0)).toBe(null);
  const sent = spy.mock.calls.map(([query]): { name?: unknown; text?: unknown } => Object(query));
  const fetches = sent.filter(({ text }) => String(text).includes('with ordinality'));
  expect(fetches).toHaveLength(1);
  return fetches[0]?.name === 'parley_fetch';
}

describe.skipIf(databaseUrl === null)('statements', () => {
  it('are prepared by name where the connection leads to the database itself', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    expect(await namesItsFetch(url)).toBe(true);
  });

  it.skipIf(pooler === null)('are not where a pooler stands in between', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const pooled = Object.assign(new URL(url), { port: pooler?.port }).href;
    expect(await namesItsFetch(pooled, url)).toBe(false);
  });
});
