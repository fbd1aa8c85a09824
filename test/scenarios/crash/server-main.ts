import { writeSync } from 'node:fs';
import { createParley, type Storage } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createPgliteStorage, createPostgresStorage } from '@parley/storage-pg';
import { type Cut, type ServerOptions, STORING } from './server-options.ts';

/** Serves the agents' REST interface on a free port, and prints its address. */
async function main({ place, cut }: ServerOptions): Promise<void> {
  const storage =
    'folder' in place
      ? await createPgliteStorage({ folder: place.folder })
      : await createPostgresStorage({ connectionString: place.databaseUrl });
  const parley = await createParley({
    storage: cut ? cutOff(storage, cut) : storage,
    limits: { perToken: 1_000_000 },
  });
  const host = createHttpHost(parley);
  const { url } = await serve(host.handler, { host: '127.0.0.1', port: 0, parley });
  console.log(`${url}${host.prefix}`);
}

function cutOff(storage: Storage, { append: last, moment }: Cut): Storage {
  let appends = 0;
  return {
    ...storage,
    async append(request) {
      appends += 1;
      const isLast = appends === last;
      if (isLast && moment === 'while storing') writeSync(process.stdout.fd, `${STORING}\n`);
      const outcome = await storage.append(request);
      if (isLast && moment === 'before answering') process.kill(process.pid, 'SIGKILL');
      return outcome;
    },
  };
}

await main(JSON.parse(process.argv[2] ?? '{}'));
