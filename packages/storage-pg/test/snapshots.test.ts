import type { Storage } from '@parley/core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresStorage } from '../src/index.ts';
import { databaseUrl, newDatabase, query } from './new-database.ts';
import { appendOf, eventAfter, GENESIS, newId, sessionOf, startSessions } from './samples.ts';

describe.skipIf(databaseUrl === null)('a snapshot', () => {
  let url = '';

  beforeEach(async () => {
    const database = await newDatabase();
    url = database.url;
    return database.drop;
  });

  async function open(): Promise<Storage> {
    const storage = await createPostgresStorage({ connectionString: url });
    onTestFinished(() => storage.close());
    return storage;
  }

  const save = (storage: Storage, sessionId: string, head: { seq: number; hash: string }, body: string) =>
    storage.saveSnapshot?.({ sessionId, seq: head.seq, hash: head.hash, foldVersion: 1, body });

  test('of an event that a failover has removed is replaced by an earlier snapshot', async () => {
    const storage = await open();
    const sessionId = newId();
    const [first, second] = [eventAfter(GENESIS), eventAfter(eventAfter(GENESIS))];
    await storage.create(sessionOf(sessionId), [first, second], []);
    expect(await save(storage, sessionId, second, 'lost')).toBe(true);
    await query(url, `delete from parley_event where seq = 2`);
    await query(url, `update parley_session set seq = 1, hash = '${first.hash}'`);
    expect(await save(storage, sessionId, first, 'found')).toBe(true);
    expect(await storage.loadSnapshot?.(sessionId, 1)).toMatchObject({ seq: 1, body: 'found' });
  });

  test('is deleted with its session, however deletes and saves overlap', async () => {
    const [storage, other] = [await open(), await open()];
    const ids = await startSessions(storage, 100);
    const first = eventAfter(GENESIS);
    await Promise.all(ids.map((sessionId) => storage.append({ ...appendOf(sessionId, GENESIS), events: [first] })));
    await Promise.all(
      ids.flatMap((sessionId) => [
        save(storage, sessionId, first, 'before'),
        other.delete(sessionId),
        save(storage, sessionId, first, 'meanwhile'),
        save(other, sessionId, first, 'after'),
      ]),
    );
    expect(await query(url, 'select count(*)::int as left from parley_snapshot')).toEqual([{ left: 0 }]);
  });

  test('does not cause a refusal of an append during its storage', async () => {
    const storage = await open();
    const [sessionId = ''] = await startSessions(storage, 1);
    const first = eventAfter(GENESIS);
    await storage.append({ ...appendOf(sessionId, GENESIS), events: [first] });
    const body = 'x'.repeat(2_000_000);
    const saving = save(storage, sessionId, first, body);
    let head = first;
    for (let round = 0; round < 20; round += 1) {
      const next = eventAfter(head, `${round}`);
      expect(await storage.append({ ...appendOf(sessionId, head), events: [next] })).toBe('appended');
      head = next;
    }
    expect(await saving).toBe(true);
  });
});
