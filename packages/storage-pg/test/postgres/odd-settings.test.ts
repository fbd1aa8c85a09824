import { describeStorage } from '@parley/core/testing';
import { describe } from 'vitest';
import { openOddDatabase } from '../../../../scripts/servers/odd-settings.ts';
import { createPostgresStorage } from '../../src/index.ts';
import { databaseUrl } from '../new-database.ts';

describe.skipIf(databaseUrl === null)('on PostgreSQL with odd settings', () => {
  describe.each([
    ['role', {}],
    ['database', { isSharded: true }],
  ] as const)('at the %s', (place, options) => {
    describeStorage('storage', async () => {
      const { url, remove } = await openOddDatabase(place, databaseUrl ?? '');
      const open = () => createPostgresStorage({ connectionString: url, ...options });
      return { storage: await open(), sibling: open, reopen: open, close: remove };
    });
  });
});
