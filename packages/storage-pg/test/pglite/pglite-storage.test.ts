import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStorage } from '@parley/core/testing';
import { createPgliteStorage } from '../../src/index.ts';
import { fillPgliteFolder } from './pglite-template.ts';

describeStorage('PGlite in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pglite-'));
  await fillPgliteFolder(folder);
  const open = () => createPgliteStorage({ folder });
  return { storage: await open(), reopen: open, close: () => rm(folder, { recursive: true }) };
});
