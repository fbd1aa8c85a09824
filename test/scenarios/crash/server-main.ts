import { createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createPgliteStorage, createPostgresStorage } from '@parley/storage-pg';
import type { DataPlace } from './server-process.ts';

/** Serves the agents' REST interface on a free port and prints its address. */
export async function main(place: DataPlace): Promise<void> {
  const storage =
    'folder' in place
      ? await createPgliteStorage({ folder: place.folder })
      : await createPostgresStorage({ connectionString: place.databaseUrl });
  const parley = await createParley({ storage, limits: { perToken: 1_000_000 } });
  const host = createHttpHost(parley);
  const { url } = await serve(host.handler, { host: '127.0.0.1', port: 0, parley });
  console.log(`${url}${host.prefix}`);
}
