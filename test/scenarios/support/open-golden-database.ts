import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { type Clock, createParley, openPeople, ownerListings, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, makeOwnerKey, openOwnerKey } from '@parley/owner-app';
import { restorePglite } from '@parley/storage-pg';
import { inject } from 'vitest';
import { createOwnerClient } from '../../../packages/owner-app/src/cli/client/owner-client.ts';
import { ownerApi } from '../../../packages/owner-app/src/cli/demo/demo.ts';
import { FILES, type GoldenDatabase } from './golden-databases.ts';
import { openFolder, restoreDatabase, STORES, type Store } from './stores.ts';

const DATABASE_URL = inject('databaseUrl');
const HOUR_MS = 3_600_000;

const RESTORE = {
  async pglite(from: URL, folder: string): Promise<Store> {
    const archive = brotliDecompressSync(await readFile(new URL(FILES.pglite, from)));
    await restorePglite({ folder: join(folder, 'pg'), dump: new Blob([gzipSync(archive, { level: 1 })]) });
    return openFolder(folder);
  },
  postgresql: async (from: URL): Promise<Store> =>
    restoreDatabase(DATABASE_URL ?? '', gunzipSync(await readFile(new URL(FILES.postgres, from))).toString()),
} as const;

export const STORAGES = (['pglite', 'postgresql'] as const).filter((kind) =>
  STORES.some(({ name }) => name.toLowerCase() === kind),
);

/** A clock that starts one hour after the database was made, because its tokens and sign-ins have a limited life. */
function clockFrom(madeAt: string): Clock {
  const aheadMs = Date.parse(madeAt) + HOUR_MS - Date.now();
  return {
    now: () => Date.now() + aheadMs,
    after(ms, task) {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Runs the current version on a storage, with the key files of a data folder. */
async function startService(storage: Storage, dataFolder: string, clock: Clock) {
  const limits = { perAddress: 100_000, redeemPerAddress: 1_000 };
  const parley = await createParley({ storage, clock, limits });
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes, clock });
  const ownerKey = await openOwnerKey(dataFolder);
  const app = createOwnerApp({ parley, storage, people, ownerKey, now: clock.now });
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 100 });
  const close = async () => {
    people.close();
    await serving.close();
    await parley.close();
  };
  return { url: serving.url, people, made: ownerKey.made, close };
}

/** Copies a stored database, and starts the service of the current version on the copy. */
export async function openGolden(kind: (typeof STORAGES)[number], from: URL) {
  const record: GoldenDatabase = JSON.parse(await readFile(new URL(FILES.record, from), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'parley-golden-'));
  for (const file of [FILES.key, FILES.keyHash]) {
    await copyFile(new URL(file, from), join(folder, file));
    await chmod(join(folder, file), 0o600);
  }
  const key = (await readFile(join(folder, FILES.key), 'utf8')).trim();
  const store = await RESTORE[kind](from, folder);
  const storage = await store.connect();
  const service = await startService(storage, folder, clockFrom(record.made_at));
  const { url } = service;
  return {
    ...{ record, key, url, service },
    owner: ownerApi({ client: createOwnerClient(url, key), listings: ownerListings }),
    async ask(headers: Readonly<Record<string, string>>, path: string, body?: object) {
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(`${url}/owner/api/${path}`, { headers, ...post });
      // biome-ignore lint/suspicious/noExplicitAny: a parsed body; each test knows its shape
      const json: any = await response.json();
      return { status: response.status, json };
    },
    async close() {
      await service.close();
      await storage.close();
      await store.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Golden = Awaited<ReturnType<typeof openGolden>>;
