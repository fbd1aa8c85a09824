import { createMemoryStorage, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { STORES } from '../../scenarios/stage/stores.ts';

/** Where the owner's story is played: PGlite always, PostgreSQL where a server is installed. */
export const DATABASES = STORES.filter(({ name }) => name !== 'memory');

/** A database of the test's own, and a storage on it. */
export async function openDatabase({ open }: (typeof DATABASES)[number]): Promise<Storage> {
  const store = await open();
  onTestFinished(() => store.remove());
  const storage = await store.connect();
  onTestFinished(() => storage.close());
  return storage;
}

/** For what does not depend on where the log is kept. */
export function openMemory(): Storage {
  const storage = createMemoryStorage();
  onTestFinished(() => storage.close());
  return storage;
}
