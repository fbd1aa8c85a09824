import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startPgBouncer } from '../../../../scripts/servers/pgbouncer-server.ts';
import { createPostgresStorage, deliversNotify, inspectPostgres, type PostgresInspection } from '../../src/index.ts';
import { databaseUrl, newDatabase } from '../new-database.ts';

const pooler = databaseUrl === null ? null : await startPgBouncer(databaseUrl);
afterAll(() => pooler?.stop());

async function inspected(url: string): Promise<PostgresInspection> {
  const inspection = await inspectPostgres(url);
  onTestFinished(inspection.close);
  return inspection;
}

describe.skipIf(databaseUrl === null)('a look at PostgreSQL', () => {
  test('itself finds that connections keep their prepared statements and LISTEN', async () => {
    const inspection = await inspected(databaseUrl ?? '');
    expect(await inspection.isPooled()).toBe(false);
    expect(await inspection.keepsPrepared()).toBe(true);
    expect(await deliversNotify(databaseUrl ?? '')).toBe(true);
    expect(await inspection.rows('select $1::int + 1 as sum', [1])).toEqual([{ sum: 2 }]);
  });

  test.skipIf(pooler === null)(
    'through PgBouncer in transaction mode finds that connections keep nothing',
    async () => {
      const inspection = await inspected(pooler?.url ?? '');
      expect(await inspection.isPooled()).toBe(true);
      expect(await inspection.keepsPrepared()).toBe(false);
      expect(await deliversNotify(pooler?.url ?? '')).toBe(false);
    },
  );

  test('distinguishes the processes on a database by the names of their connections', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const storages = await Promise.all([1, 2].map(() => createPostgresStorage({ connectionString: url })));
    for (const storage of storages) onTestFinished(storage.close);
    await Promise.all(storages.map((storage) => storage.health()));
    const inspection = await inspected(url);
    const names = await inspection.rows(
      "select distinct application_name from pg_stat_activity where datname = current_database() and application_name ~ '^parley-[0-9a-f]{8}$'",
    );
    expect(names).toHaveLength(2);
  });
});
