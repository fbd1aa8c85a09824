import { inspect } from 'node:util';
import { OutcomeUnknown, type Storage, StorageUnavailable } from '@parley/core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresStorage } from '../../src/index.ts';
import { databaseUrl, newDatabase, query } from '../new-database.ts';
import { appendOf, eventAfter, GENESIS, newId, sessionOf, startSessions } from '../samples.ts';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';

const SQL = /\b(select|insert|update|delete|unnest|where|values)\b.*\b(parley_|from|into)/i;

describe.skipIf(databaseUrl === null)('a connection that breaks', () => {
  let proxy: FaultProxy;
  let storage: Storage;
  let directUrl = '';

  beforeAll(async () => {
    const { url, drop } = await newDatabase();
    directUrl = url;
    proxy = await openFaultProxy(url);
    storage = await createPostgresStorage({ connectionString: proxy.url, connectMs: 1_000 });
    return async () => {
      await storage.close();
      await proxy.stop();
      await drop();
    };
  });

  /** Ends server processes of this database only, because other test files use the same server at the same time. */
  const endBackends = (which: string) =>
    query(
      directUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${which}`,
    );

  async function failure(call: Promise<unknown>): Promise<unknown> {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(inspect(error, { depth: 9 })).not.toMatch(SQL);
    return error;
  }

  test('after an append was stored leaves its outcome unknown, and repeating the append shows the outcome', async () => {
    const [sessionId = ''] = await startSessions(storage, 1);
    const append = appendOf(sessionId, GENESIS, 'landed');
    proxy.cutNext('parley_append', 'after');
    expect(await failure(storage.append(append))).toBeInstanceOf(OutcomeUnknown);
    expect(await storage.append(append)).toBe('refused');
    expect((await storage.fetch(sessionId, 0))?.head.hash).toBe(append.events[0]?.hash);
  });

  test('before an append arrived leaves its outcome unknown, and repeating the append stores it', async () => {
    const [sessionId = ''] = await startSessions(storage, 1);
    const append = appendOf(sessionId, GENESIS, 'lost');
    proxy.cutNext('parley_append', 'before');
    expect(await failure(storage.append(append))).toBeInstanceOf(OutcomeUnknown);
    expect(await storage.append(append)).toBe('appended');
  });

  test('leaves the outcome of every append of the group unknown', async () => {
    const ids = await startSessions(storage, 10);
    proxy.cutNext('parley_append', 'after');
    const outcomes = await Promise.allSettled(ids.map((sessionId) => storage.append(appendOf(sessionId, GENESIS))));
    const unknown = outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof OutcomeUnknown);
    expect(unknown.length).toBeGreaterThanOrEqual(5);
    const again = await Promise.all(ids.map((sessionId) => storage.append(appendOf(sessionId, GENESIS))));
    expect(new Set(again)).toEqual(new Set(['refused']));
  });

  test('leaves the outcome of a create unknown', async () => {
    const sessionId = newId();
    proxy.cutNext('as e(seq, hash, body)', 'after');
    expect(await failure(storage.create(sessionOf(sessionId), [eventAfter(GENESIS)], []))).toBeInstanceOf(
      OutcomeUnknown,
    );
    expect((await storage.fetch(sessionId, 0))?.head.seq).toBe(1);
  });

  test('leaves the outcome of a delete unknown', async () => {
    const [sessionId = ''] = await startSessions(storage, 1);
    proxy.cutNext('delete from', 'before');
    expect(await failure(storage.delete(sessionId))).toBeInstanceOf(OutcomeUnknown);
    expect(await storage.delete(sessionId)).toBe(true);
  });

  test('is not visible to a read, which is sent again', async () => {
    const [sessionId = ''] = await startSessions(storage, 1);
    proxy.cutNext('parley_fetch', 'after');
    expect((await storage.fetch(sessionId, 0))?.head).toEqual(GENESIS);
  });

  test('permanently makes the storage unavailable until the database is back', async () => {
    const [sessionId = ''] = await startSessions(storage, 1);
    await proxy.stop();
    // The first appends may fail with another error, because the pool may still use a broken connection.
    await expect.poll(() => failure(storage.append(appendOf(sessionId, GENESIS)))).toBeInstanceOf(StorageUnavailable);
    expect(await failure(storage.fetch(sessionId, 0))).toBeInstanceOf(StorageUnavailable);
    expect(await failure(storage.health())).toBeInstanceOf(StorageUnavailable);
    await proxy.start();
    expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
  });

  test('of a listener is replaced, an empty hint is reported, and hints arrive again', async () => {
    const heard: (readonly string[])[] = [];
    const stop = storage.onHint((ids) => heard.push(ids));
    onTestFinished(stop);
    await expect.poll(() => heard).toEqual([[]]);
    await endBackends("query like 'listen%'");
    await expect.poll(() => heard).toEqual([[], []]);
    const other = await createPostgresStorage({ connectionString: directUrl });
    onTestFinished(() => other.close());
    const hinted = () => {
      other.hint(['s1']);
      return heard;
    };
    await expect.poll(hinted).toContainEqual(['s1']);
  });

  test('and was idle has no visible effect', async () => {
    const [sessionId = ''] = await startSessions(storage, 1);
    await endBackends('true');
    expect((await storage.fetch(sessionId, 0))?.head).toEqual(GENESIS);
    expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
  });
});
