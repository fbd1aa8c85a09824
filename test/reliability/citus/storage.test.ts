import { describeStorage } from '@parley/core/testing';
import { createPostgresStorage } from '@parley/storage-pg';
import { inject } from 'vitest';
import { openDatabase } from '../../scenarios/support/stores.ts';

const coordinator = inject('databaseUrl');

describeStorage('the storage on Citus', async () => {
  if (coordinator === null) throw new Error('no coordinator');
  const { url, remove } = await openDatabase(coordinator);
  const open = () => createPostgresStorage({ connectionString: url });
  return { storage: await open(), sibling: open, reopen: open, close: remove };
});
