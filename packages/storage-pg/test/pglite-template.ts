import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '../src/pglite/data-folder.ts';

/**
 * Named after the version of PGlite and without Parley's tables, because several checkouts of this repository may share
 * it.
 */
const TEMPLATE = join(tmpdir(), 'parley-pglite-0.5.16');

/**
 * Puts an embedded database into a folder by copying a template kept between test runs, which is faster than creating a
 * database.
 */
export async function fillPgliteFolder(folder: string): Promise<void> {
  if (!existsSync(TEMPLATE)) await makeTemplate();
  await cp(TEMPLATE, folder, { recursive: true });
}

async function makeTemplate(): Promise<void> {
  const draft = `${TEMPLATE}.${randomUUID()}`;
  await mkdir(draft);
  const { engine } = await openDataFolder(draft);
  await engine.close();
  // Ignores the error that another process has created the template meanwhile.
  await rename(draft, TEMPLATE).catch(() => rm(draft, { recursive: true }));
}
