import { describeStorage } from '@parley/core/testing';
import { describe } from 'vitest';
import { createPostgresStorage } from '../src/index.ts';
import { databaseUrl, newDatabase } from './new-database.ts';

describe.skipIf(databaseUrl === null)('on PostgreSQL', () => {
  describe.each([
    ['default settings', {}],
    ['statements without names in a schema of its own', { isPrepared: false, schema: 'of_its_own' }],
    ['groups of one', { groupMax: 1, lanes: 4 }],
  ])('with %s', (_, settings) => {
    describeStorage('storage', async () => {
      const { url, drop } = await newDatabase();
      const open = () => createPostgresStorage({ connectionString: url, ...settings });
      return { storage: await open(), sibling: open, reopen: open, close: drop };
    });
  });
});
