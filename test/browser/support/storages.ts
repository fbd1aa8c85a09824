import { createMemoryStorage, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { STORES } from '../../scenarios/support/stores.ts';

/** The databases with which the browser tests run: PGlite, and PostgreSQL if it is installed. */
export const DATABASES = STORES.filter(({ name }) => name !== 'memory');

/**
 * Opens a separate database for the test.
 * @returns a function that opens another connection, as another process would. For PGlite it always returns the same
 * connection, because PGlite allows only one process
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

/** A storage in memory, for tests that do not depend on the storage. */
export function openMemory(): Storage {
  const storage = createMemoryStorage();
  onTestFinished(() => storage.close());
  return storage;
}
