import { createPostgresStorage, distributePostgres } from '@parley/storage-pg';
import { expect, onTestFinished, test } from 'vitest';
import { appendOf, GENESIS, newId, sessionOf } from '../../../packages/storage-pg/test/samples.ts';
import { createCitusDatabase, startCitus } from '../../../scripts/servers/citus-cluster.ts';
import { portOf } from './support/cluster-service.ts';

test('every call on a session needs the worker that has the session, and no other one', async () => {
  const cluster = await startCitus({ durable: true });
  if (cluster === null) throw new Error('Citus is not installed.');
  onTestFinished(() => cluster.stop());
  const [dead, alive] = cluster.workers;
  const { url } = await createCitusDatabase(
    cluster.coordinator.url,
    cluster.workers.map((worker) => worker.url),
  );
  await distributePostgres({ connectionString: url });
  const storage = await createPostgresStorage({ connectionString: url });
  onTestFinished(() => storage.close());
  await storage.secret();
  const isOnAlive = async (id: string): Promise<boolean> =>
    (await portOf(url, id)) === Number(new URL(alive?.url ?? '').port);
  const ids = Array.from({ length: 40 }, newId);
  const places = await Promise.all(ids.map(isOnAlive));
  const sessionId = ids[places.indexOf(true)] ?? '';
  const other = ids[places.indexOf(false)] ?? '';
  await storage.create(sessionOf(other), [], []);
  await dead?.kill();

  await storage.create(sessionOf(sessionId), [], []);
  const append = appendOf(sessionId, GENESIS, 'one');
  const { seq, hash } = append.events[0] ?? GENESIS;
  expect(await storage.append(append)).toBe('appended');
  expect(await storage.append(append)).toBe('refused');
  expect((await storage.fetch(sessionId, 0))?.head).toEqual({ seq, hash });
  expect(await storage.events(sessionId, 1, 9)).toHaveLength(1);
  expect(await storage.document(sessionId, 'a'.repeat(64))).toBe(null);
  expect(await storage.find(sessionOf(sessionId).ownerId, sessionId)).toMatchObject({ sessionId, seq });
  expect(await storage.saveSnapshot?.({ sessionId, foldVersion: 2, seq, hash, body: '{}' })).toBe(true);
  expect(await storage.loadSnapshot?.(sessionId, 2)).toMatchObject({ seq, body: '{}' });
  const call = { role: 'agent_a' as const, atMs: 7, isWaiting: false };
  await storage.saveCalls?.([{ ...call, sessionId }]);
  await expect(
    storage.saveCalls?.([
      { ...call, sessionId: other },
      { ...call, sessionId, atMs: 8 },
    ]),
  ).rejects.toThrow('SQLSTATE 08006');
  expect(await storage.loadCalls?.([sessionId])).toEqual([{ ...call, sessionId, atMs: 8 }]);
  expect(await storage.delete(sessionId)).toBe(true);

  const unavailable = { name: 'StorageUnavailable' };
  await expect(storage.fetch(other, 0)).rejects.toMatchObject(unavailable);
  await expect(storage.append(appendOf(other, GENESIS, 'two'))).rejects.toMatchObject(unavailable);
  await expect(storage.delete(other)).rejects.toMatchObject(unavailable);
  await dead?.restart();
  await expect.poll(() => storage.fetch(other, 0)).toMatchObject({ head: GENESIS, events: [] });
  expect(await storage.append(appendOf(other, GENESIS, 'two'))).toBe('appended');
});
