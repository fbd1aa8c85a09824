import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/**
 * Returns an archive of a new PGlite data folder. The file is kept between test runs, because unpacking it takes a
 * quarter of the time of creating a database.
 */
export async function pgliteSeed(): Promise<Blob> {
  const path = join(tmpdir(), 'parley-pglite-0.5.16.tar.gz');
  if (!existsSync(path)) await makeSeed(path);
  return new File([await readFile(path)], 'seed.tar.gz', { type: 'application/x-gzip' });
}

async function makeSeed(path: string): Promise<void> {
  const engine = await PGlite.create();
  const dump = await engine.dumpDataDir('gzip');
  await engine.close();
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, Buffer.from(await dump.arrayBuffer()));
  await rename(draft, path);
}
