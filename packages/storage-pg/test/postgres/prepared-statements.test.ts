import { Client } from 'pg';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPgBouncer } from '../../../../scripts/servers/pgbouncer-server.ts';
import { createPostgresStorage } from '../../src/index.ts';
import { databaseUrl, newDatabase } from '../new-database.ts';

const pooler = databaseUrl === null ? null : await startPgBouncer(databaseUrl);
afterAll(async () => void (await pooler?.stop()));

/** Whether a storage without the setting `isPrepared` sends its fetches as named statements. */
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

const LISTING = { title: 'Kept', status: 'ACTIVE', phase: 'PLANNING', createdAt: '2026-11-21T09:00:00.000Z' };

async function change(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe.skipIf(databaseUrl === null)('statements', () => {
  it('are prepared by name if the connection leads directly to the database', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    expect(await namesItsFetch(url)).toBe(true);
  });

  it('still work after a change of the tables', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const storage = await createPostgresStorage({ connectionString: url, poolMax: 1 });
    onTestFinished(() => storage.close());
    const session = { sessionId: 'kept', ownerId: 'owner', listing: LISTING };
    await storage.create(session, [{ seq: 1, hash: 'one', body: '{}' }], []);
    const head = { seq: 1, hash: 'one' };
    expect(await storage.fetch('kept', 1)).toEqual({ head, events: [], more: false });
    await change(url, 'alter table parley_session alter column hash type varchar(64)');
    expect(await storage.fetch('kept', 1)).toEqual({ head, events: [], more: false });
  });

  it('are sent unprepared if prepared statements were discarded', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const spy = vi.spyOn(Client.prototype, 'query');
    const storage = await createPostgresStorage({ connectionString: url, poolMax: 1, hints: 'off' });
    onTestFinished(async () => {
      await storage.close();
      spy.mockRestore();
    });
    expect(await storage.fetch('nobody', 0)).toBe(null);
    const connection = spy.mock.contexts.at(-1);
    if (!(connection instanceof Client)) expect.fail('The fetch went over no connection.');
    await connection.query('deallocate all');
    expect(await storage.fetch('nobody', 0)).toBe(null);
    const [refused, unnamed] = spy.mock.calls.slice(-2).map(([query]) => Object(query).name);
    expect([refused, unnamed]).toEqual(['parley_fetch', undefined]);
    expect(await storage.fetch('nobody', 0)).toBe(null);
    expect(Object(spy.mock.lastCall?.[0]).name).toBe(undefined);
  });

  it.skipIf(pooler === null)('are not prepared behind a pooler', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const pooled = Object.assign(new URL(url), { port: pooler?.port }).href;
    expect(await namesItsFetch(pooled, url)).toBe(false);
    const neighbour = new Client({ connectionString: pooled });
    onTestFinished(() => neighbour.end());
    await neighbour.connect();
    expect((await neighbour.query('show enable_seqscan')).rows).toEqual([{ enable_seqscan: 'on' }]);
  });
});
