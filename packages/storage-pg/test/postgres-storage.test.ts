import { describeStorage } from '@parley/core/testing';
import { afterAll, describe } from 'vitest';
import { startPgBouncer } from '../../../scripts/pgbouncer-server.ts';
import { startRedis } from '../../../scripts/redis-server.ts';
import { createPostgresStorage, createRedisHints, type PostgresOptions } from '../src/index.ts';
import { databaseUrl, newDatabase } from './new-database.ts';

const redis = databaseUrl === null ? null : await startRedis();
const pooler = databaseUrl === null ? null : await startPgBouncer(databaseUrl);
afterAll(async () => void (await Promise.all([redis?.stop(), pooler?.stop()])));

describe.skipIf(databaseUrl === null)('on PostgreSQL', () => {
  describe.each([
    ['default settings', {}],
    ['prepared statements in a schema of its own', { isPrepared: true, schema: 'of_its_own' }],
    ['groups of one', { groupMax: 1, lanes: 4 }],
  ])('with %s', (_, settings) => {
    describeStorage('storage', () => openOn((url) => ({ connectionString: url, ...settings })));
  });

  describe.skipIf(redis === null)('with hints by Redis', () => {
    describeStorage('storage', async () => {
      const hints = await createRedisHints(redis?.url ?? '');
      return openOn((url) => ({ connectionString: url, hints }));
    });
  });

  describe.skipIf(pooler === null)('through PgBouncer in transaction mode', () => {
    describeStorage('storage', () =>
      openOn((url) => ({
        connectionString: Object.assign(new URL(url), { port: pooler?.port }).href,
        hintConnectionString: url,
      })),
    );
  });
});

async function openOn(optionsFor: (url: string) => PostgresOptions) {
  const { url, drop } = await newDatabase();
  const open = () => createPostgresStorage(optionsFor(url));
  return { storage: await open(), sibling: open, reopen: open, close: drop };
}
