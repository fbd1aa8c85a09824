import { createMemoryStorage, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { STORES } from '../../scenarios/support/stores.ts';

export const DATABASES = STORES.filter(({ name }) => name !== 'memory');

/**
 * Opens a new database. The returned function opens another connection to the database, as another process would. On
 * PGlite the function always returns the same connection, because PGlite allows one process.
 */
export async function openDatabase({ name, open }: (typeof DATABASES)[number]): Promise<() => Promise<Storage>> {
  const store = await open();
  onTestFinished(() => store.remove());
  const connect = async (): Promise<Storage> => {
    const storage = await store.connect();
    onTestFinished(() => storage.close());
    return storage;
  };
  if (name === 'PostgreSQL') return connect;
  const only = await connect();
  return async () => only;
}

export function openMemory(): Storage {
  const storage = createMemoryStorage();
  onTestFinished(() => storage.close());
  return storage;
}
