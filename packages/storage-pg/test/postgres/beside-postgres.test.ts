import { describeStorage } from '@parley/core/testing';
import { afterAll, describe } from 'vitest';
import { startPgBouncer } from '../../../../scripts/servers/pgbouncer-server.ts';
import { startRedis } from '../../../../scripts/servers/redis-server.ts';
import { createPostgresStorage, createRedisHints, type PostgresOptions } from '../../src/index.ts';
import { databaseUrl, newDatabase } from '../new-database.ts';

const redis = databaseUrl === null ? null : await startRedis();
const pooler = databaseUrl === null ? null : await startPgBouncer(databaseUrl);
afterAll(async () => void (await Promise.all([redis?.stop(), pooler?.stop()])));

describe.skipIf(redis === null)('on PostgreSQL with hints by Redis', () => {
  describeStorage('storage', async () => {
    const hints = await createRedisHints(redis?.url ?? '');
    return openOn((url) => ({ connectionString: url, hints }));
  });
});

describe.skipIf(pooler === null)('on PostgreSQL through PgBouncer in transaction mode', () => {
  describeStorage('storage', () =>
    openOn((url) => ({
      connectionString: Object.assign(new URL(url), { port: pooler?.port }).href,
      hintConnectionString: url,
    })),
  );
});

async function openOn(optionsFor: (url: string) => PostgresOptions) {
  const { url, drop } = await newDatabase();
  const open = () => createPostgresStorage(optionsFor(url));
  return { storage: await open(), sibling: open, reopen: open, close: drop };
}
