import { createMemoryStorage, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { STORES } from '../../scenarios/support/stores.ts';

/** Storages on which the owner's story is played: PGlite always, PostgreSQL if a server is installed. */
export const DATABASES = STORES.filter(({ name }) => name !== 'memory');

/**
 * Opens a separate database for the test.
 * @returns a function that connects to it as another process would; PGlite allows one process, so there it returns the
 * one connection
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
