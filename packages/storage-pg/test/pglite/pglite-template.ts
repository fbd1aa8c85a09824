import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '../../src/pglite/data-folder.ts';
import { lockFolder } from '../../src/pglite/folder-lock.ts';

/**
 * A folder with an empty database. Its name contains the version of PGlite, and it has no tables of Parley, because
 * several clones of this repository may share it.
 */
const TEMPLATE = join(tmpdir(), 'parley-pglite-0.5.16');

/** Fills a folder with an embedded database. Copies the template, because that is faster than creating a database. */
export async function fillPgliteFolder(folder: string): Promise<void> {
  if (!existsSync(TEMPLATE)) await makeTemplate();
  await cp(TEMPLATE, folder, { recursive: true });
}

async function makeTemplate(): Promise<void> {
  const draft = `${TEMPLATE}.${randomUUID()}`;
  await mkdir(draft);
  const lock = await lockFolder(draft);
  const { engine } = await openDataFolder(lock);
  await engine.close();
  await lock.release();
  // If another process has created the template meanwhile, the rename fails, and this draft is removed.
  await rename(draft, TEMPLATE).catch(() => rm(draft, { recursive: true }));
}
