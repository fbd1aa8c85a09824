import { describeStorage } from '@parley/core/testing';
import { describe } from 'vitest';
import { createPostgresStorage, type PostgresOptions, partitionPostgres } from '../../src/index.ts';
import { databaseUrl, newDatabase } from '../new-database.ts';

describe.skipIf(databaseUrl === null)('on PostgreSQL', () => {
  describe.each([
    ['default settings', {}],
    ['four partitions and statements without names', { partitions: 4, isPrepared: false }],
  ])('with %s', (_, { partitions = 0, ...settings }: Partial<PostgresOptions> & { partitions?: number }) => {
    describeStorage('storage', async () => {
      const { url, drop } = await newDatabase();
      if (partitions > 0) await partitionPostgres({ connectionString: url, partitions });
      const open = () => createPostgresStorage({ connectionString: url, ...settings });
      return { storage: await open(), sibling: open, reopen: open, close: drop };
    });
  });
});
