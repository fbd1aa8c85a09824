import { describeStorage } from '@parley/core/testing';
import { afterAll, describe } from 'vitest';
import { openOddDatabase } from '../../../../scripts/servers/odd-settings.ts';
import { startPgBouncer } from '../../../../scripts/servers/pgbouncer-server.ts';
import { createPostgresStorage } from '../../src/index.ts';
import { databaseUrl, newDatabase, query } from '../new-database.ts';

const pooler = databaseUrl === null ? null : await startPgBouncer(databaseUrl);
afterAll(async () => void (await pooler?.stop()));

describe.skipIf(databaseUrl === null)('on PostgreSQL with odd settings', () => {
  describe.each([
    ['role', { schema: 'of_its_own' }],
    ['database', { isSharded: true, maxInFlight: 4 }],
  ] as const)('at the %s', (place, options) => {
    describeStorage('storage', async () => {
      const { url, remove } = await openOddDatabase(place, databaseUrl ?? '');
      const open = () => createPostgresStorage({ connectionString: url, ...options });
      return { storage: await open(), sibling: open, reopen: open, close: remove };
    });
  });
});

/** A pooler refuses startup parameters, but keeps the settings of each client that PostgreSQL reports. */
describe.skipIf(pooler === null)('on PostgreSQL whose database has an odd form of times, through PgBouncer', () => {
  describeStorage('storage', async () => {
    const { url, drop } = await newDatabase();
    const { pathname } = new URL(url);
    for (const setting of [
      "DateStyle = 'German', 'DMY'",
      "TimeZone = 'Asia/Kathmandu'",
      'standard_conforming_strings = off',
    ])
      await query(url, `alter database "${pathname.slice(1)}" set ${setting}`);
    const pooled = Object.assign(new URL(url), { port: pooler?.port }).href;
    const open = () => createPostgresStorage({ connectionString: pooled, hintConnectionString: url });
    return { storage: await open(), sibling: open, reopen: open, close: drop };
  });
});
