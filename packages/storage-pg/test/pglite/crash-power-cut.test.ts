import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@parley/core';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createPgliteStorage } from '../../src/index.ts';
import { appendOf, GENESIS, startSessions } from '../samples.ts';
import { fillPgliteFolder } from './pglite-template.ts';

/** A copy of the data folder. It contains each file as of its last fsync, which is all that survives a power cut. */
const disk = vi.hoisted(() => ({ folder: '', synced: '', syncs: 0 }));

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  const fsyncSync = (descriptor: number): void => {
    fs.fsyncSync(descriptor);
    const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    if (disk.synced === '' || !path.startsWith(`${disk.folder}/postgres/`) || !fs.fstatSync(descriptor).isFile())
      return;
    disk.syncs += 1;
    fs.copyFileSync(path, disk.synced + path.slice(disk.folder.length));
  };
  return { ...fs, fsyncSync };
});

/** Number of copies of the folder that the test checks. Default: one. `pnpm test:crash` sets more. */
const copies = Number(process.env.CRASH_ROUNDS ?? 1);

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parley-power-cut-'));
  disk.folder = join(parent, 'pg');
  return () => rm(parent, { recursive: true });
});

async function headsOf(storage: Storage, ids: readonly string[]): Promise<unknown[]> {
  const news = await Promise.all(ids.map((id) => storage.fetch(id, 0)));
  return news.map((found) => found?.head);
}

test.skipIf(process.platform !== 'linux')(
  `a folder in which no file has more than its last fsync guarantees holds every acknowledged event, copied ${copies === 1 ? 'once' : `${copies} times`}`,
  async () => {
    await fillPgliteFolder(disk.folder);
    const storage = await createPgliteStorage({ folder: disk.folder });
    onTestFinished(() => storage.close());
    const ids = await startSessions(storage, 2);
    disk.synced = join(parent, 'synced');
    onTestFinished(() => {
      disk.synced = '';
    });
    await cp(join(disk.folder, 'postgres'), join(disk.synced, 'postgres'), { recursive: true });
    const heads = new Map(ids.map((id) => [id, GENESIS]));
    for (let round = 1; round <= copies; round += 1) {
      for (let turn = 0; turn < 5; turn += 1)
        for (const [id, head] of heads) {
          const append = appendOf(id, head);
          expect(await storage.append(append)).toBe('appended');
          const { seq, hash } = append.events.at(-1) ?? head;
          heads.set(id, { seq, hash });
        }
      const cut = join(parent, `cut-${round}`);
      await cp(disk.synced, cut, { recursive: true });
      const again = await createPgliteStorage({ folder: cut });
      expect(await headsOf(again, ids)).toEqual([...heads.values()]);
      await again.close();
    }
    expect(disk.syncs).toBeGreaterThan(copies * 9);
  },
);
