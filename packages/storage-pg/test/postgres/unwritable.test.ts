import { type Storage, StorageUnavailable } from '@parley/core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../scripts/servers/postgres-server.ts';
import { createPostgresStorage, rehearsePostgres } from '../../src/index.ts';
import { databaseUrl, query } from '../new-database.ts';
import { appendOf, GENESIS, startSessions } from '../samples.ts';

describe.skipIf(databaseUrl === null)('a database that answers and stores nothing', () => {
  let primary: PostgresServer;
  let storage: Storage;

  beforeAll(async () => {
    const started = await startPostgres({ durable: true });
    if (started === null) throw new Error('no PostgreSQL');
    primary = started;
    storage = await createPostgresStorage({ connectionString: primary.url });
    return async () => {
      await storage.close();
      await primary.stop();
    };
  });

  test('because it is a standby is not healthy, and refuses each append of a group immediately', async () => {
    const ids = await startSessions(storage, 10);
    const standby = await primary.addStandby(Number(new URL(primary.url).port));
    onTestFinished(() => standby.stop());
    await expect
      .poll(async () => (await query(standby.url, 'select count(*)::int as n from parley_session'))[0]?.n)
      .toBe(10);
    const readOnly = await createPostgresStorage({ connectionString: standby.url });
    onTestFinished(() => readOnly.close());
    expect((await readOnly.fetch(ids[0] ?? '', 0))?.head).toEqual(GENESIS);
    await expect(readOnly.health()).rejects.toThrow(StorageUnavailable);
    const outcomes = await Promise.allSettled(ids.map((sessionId) => readOnly.append(appendOf(sessionId, GENESIS))));
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? one.reason : undefined));
    expect(reasons.filter((reason) => reason instanceof StorageUnavailable)).toHaveLength(10);
    await expect(rehearsePostgres({ connectionString: standby.url })).rejects.toThrow('25006');
  });

  test('because its synchronous standby is gone is not healthy until commits go on', async () => {
    const [id = ''] = await startSessions(storage, 1);
    await storage.health();
    await query(primary.url, "alter system set synchronous_standby_names = 'gone'");
    onTestFinished(async () => void (await query(primary.url, 'alter system reset synchronous_standby_names')));
    await query(primary.url, 'select pg_reload_conf()');
    const another = await createPostgresStorage({ connectionString: primary.url, answerMs: 1_000 });
    onTestFinished(() => another.close());
    const healthOf = () =>
      another.health().then(
        () => 'healthy',
        () => 'not healthy',
      );
    expect((await another.fetch(id, 0))?.head).toEqual(GENESIS);
    await expect.poll(healthOf).toBe('not healthy');
    await query(primary.url, 'alter system reset synchronous_standby_names');
    await query(primary.url, 'select pg_reload_conf()');
    await expect.poll(healthOf).toBe('healthy');
  });

  test('is found by no rehearsal if all is well, and the rehearsal stores nothing', async () => {
    const before = await query(primary.url, 'select count(*)::int as n from parley_session');
    expect(await rehearsePostgres({ connectionString: primary.url })).toBe(true);
    expect(await query(primary.url, 'select count(*)::int as n from parley_session')).toEqual(before);
  });
});
