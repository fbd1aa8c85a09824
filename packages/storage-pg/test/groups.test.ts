import { inspect } from 'node:util';
import type { Storage } from '@parley/core';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPostgresStorage } from '../src/index.ts';
import { databaseUrl, newDatabase, query } from './new-database.ts';
import { appendOf, GENESIS, newId, sessionOf, startSessions } from './samples.ts';

describe.skipIf(databaseUrl === null)('a group', () => {
  let storage: Storage;
  let url = '';

  beforeAll(async () => {
    const database = await newDatabase();
    url = database.url;
    storage = await createPostgresStorage({ connectionString: url });
    return async () => {
      await storage.close();
      await database.drop();
    };
  });

  test('is reported with its size and content', async () => {
    const sizes: Record<string, number[]> = { append: [], fetch: [], count: [] };
    const observed = await createPostgresStorage({
      connectionString: url,
      hints: 'off',
      onGroup: (call, size) => sizes[call]?.push(size),
    });
    onTestFinished(() => observed.close());
    const ids = await startSessions(observed, 4);
    await Promise.all(ids.map((sessionId) => observed.append(appendOf(sessionId, GENESIS))));
    await Promise.all(ids.slice(1).map((sessionId) => observed.fetch(sessionId, 0)));
    await observed.countWindow(60_000, [{ bucket: 'group-size', n: 1 }]);
    expect(sizes).toEqual({ append: [4], fetch: [3], count: [1] });
  });

  test('is stored without the member whose log is damaged, and its error does not contain the statement', async () => {
    const ids = await startSessions(storage, 20);
    await query(url, `insert into parley_event values ('${ids[7]}', 1, 'x', 'a row without a head')`);
    const outcomes = await Promise.allSettled(ids.map((sessionId) => storage.append(appendOf(sessionId, GENESIS))));
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(outcomes[7]?.status).toBe('rejected');
    expect(rejected).toHaveLength(1);
    expect(String(rejected[0]?.reason)).toContain('SQLSTATE 23505');
    expect(inspect(rejected[0]?.reason, { depth: 9 })).not.toMatch(/insert|unnest|prev_hash|a row without/i);
  });

  test('is stored without the member whose head is locked elsewhere, and does not wait', async () => {
    const ids = await startSessions(storage, 10);
    const holder = new Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query('select 1 from parley_session where session_id = $1 for update', [ids[3]]);
    const answers = await Promise.all(ids.map((sessionId) => storage.append(appendOf(sessionId, GENESIS))));
    expect(answers).toEqual(ids.map((_, index) => (index === 3 ? 'refused' : 'appended')));
    await holder.query('rollback');
  });

  test('of fetches accepts members while it waits, and none while it is running', async () => {
    const statements = await countStatements('parley_fetch');
    const [sessionId = ''] = await startSessions(statements.storage, 1);
    await Promise.all(Array.from({ length: 50 }, () => statements.storage.fetch(sessionId, 0)));
    expect(statements.count()).toBe(1);
    const early = statements.storage.fetch(sessionId, 0);
    await expect.poll(() => statements.count()).toBe(2);
    expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
    const late = await statements.storage.fetch(sessionId, 0);
    expect(late?.head.seq).toBe(1);
    expect(statements.count()).toBe(3);
    await early;
  });

  test('of appends saves statements', async () => {
    const statements = await countStatements('parley_append');
    const ids = await startSessions(statements.storage, 100);
    const answers = await Promise.all(ids.map((sessionId) => statements.storage.append(appendOf(sessionId, GENESIS))));
    expect(new Set(answers)).toEqual(new Set(['appended']));
    expect(statements.count()).toBe(2);
  });

  test('of creates that run together with deletes of the same ids leaves complete sessions or none', async () => {
    const ids = Array.from({ length: 20 }, newId);
    await Promise.allSettled(
      ids.flatMap((sessionId) => [storage.create(sessionOf(sessionId), [], []), storage.delete(sessionId)]),
    );
    for (const sessionId of ids) {
      const news = await storage.fetch(sessionId, 0);
      expect(await storage.delete(sessionId)).toBe(news !== null);
    }
  });

  /** A storage with prepared statements. `count` returns how often the statement `name` was sent. */
  async function countStatements(name: string): Promise<{ storage: Storage; count(): number }> {
    const spy = vi.spyOn(Client.prototype, 'query');
    const counted = await createPostgresStorage({ connectionString: url, isPrepared: true });
    onTestFinished(async () => {
      await counted.close();
      spy.mockRestore();
    });
    const count = (): number => spy.mock.calls.filter(([sent]) => inspect(sent).includes(`'${name}'`)).length;
    return { storage: counted, count };
  }
});
