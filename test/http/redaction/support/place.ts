import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPgliteStorage } from '@parley/storage-pg';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { newFolder } from '../../../../packages/owner-app/test/new-folder.ts';
import { openFaultProxy } from '../../../../packages/storage-pg/test/postgres/fault-proxy.ts';
import { openDatabase } from '../../../scenarios/support/stores.ts';

/** Where a server stores its data, and how to read all of it after the server has ended. */
export interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Secrets of the storage itself, such as a database password. */
  readonly secrets: readonly string[];
  /** Makes the storage unavailable while `work` runs. Absent if a test cannot do that. */
  readonly withoutStorage?: (work: () => Promise<void>) => Promise<void>;
  dump(sessionId: string): Promise<string>;
}

export async function embeddedPlace(): Promise<Place> {
  const folder = join(await newFolder(), 'data');
  return { folder, environment: {}, secrets: [], dump: (sessionId) => dumpEmbedded(join(folder, 'pg'), sessionId) };
}

/** Reads the events through the storage, because the files of the folder may contain them in compressed form. */
async function dumpEmbedded(folder: string, sessionId: string): Promise<string> {
  const storage = await createPgliteStorage({ folder });
  try {
    return JSON.stringify(await storage.events(sessionId, 1, 500));
  } finally {
    await storage.close();
  }
}

export async function serverPlace(serverUrl: string): Promise<Place> {
  const database = await openDatabase(serverUrl);
  onTestFinished(() => database.remove());
  const password = `hunter-${'x1'.repeat(8)}`;
  const proxy = await openFaultProxy(Object.assign(new URL(database.url), { password }).href);
  onTestFinished(() => proxy.stop());
  return {
    folder: join(await newFolder(), 'data'),
    environment: { DATABASE_URL: proxy.url },
    secrets: [password],
    async withoutStorage(work) {
      await proxy.stop();
      await work().finally(() => proxy.start());
    },
    dump: () => dumpDatabase(database.url),
  };
}

async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query(`select table_schema || '.' || table_name as name
      from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`);
    const dumps: string[] = [];
    for (const { name } of tables.rows) dumps.push(JSON.stringify((await client.query(`select * from ${name}`)).rows));
    return dumps.join('\n');
  } finally {
    await client.end();
  }
}

/** A file of the data folder. `mode` is written as for `chmod`. */
export interface KeptFile {
  readonly path: string;
  readonly mode: string;
  readonly content: Buffer;
}

export async function filesIn(folder: string): Promise<readonly KeptFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return await Promise.all(files.map(readKept));
}

const readKept = async (path: string): Promise<KeptFile> => {
  const [{ mode }, content] = await Promise.all([stat(path), readFile(path)]);
  return { path, mode: (mode & 0o777).toString(8), content };
};
