import { createMemoryStorage, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { STORES } from '../../scenarios/support/stores.ts';

/** Where the owner's story is played: PGlite always, PostgreSQL where a server is installed. */
export const DATABASES = STORES.filter(({ name }) => name !== 'memory');

/**
 * A database of the test's own.
 *
 * @returns connects to it as another process would; PGlite knows no others, so there it gives the one connection
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

/** For what does not depend on where the log is kept. */
export function openMemory(): Storage {
  const storage = createMemoryStorage();
  onTestFinished(() => storage.close());
  return storage;
}
