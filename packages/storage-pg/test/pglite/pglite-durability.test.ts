import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutcomeUnknown, StorageUnavailable } from '@parley/core';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPgliteStorage, type PgliteOptions } from '../../src/index.ts';
import { openDataFolder } from '../../src/pglite/data-folder.ts';
import { lockFolder } from '../../src/pglite/folder-lock.ts';
import { appendOf, GENESIS, sessionOf, startSessions } from '../samples.ts';
import { pgliteSeed } from './pglite-seed.ts';
import { fillPgliteFolder } from './pglite-template.ts';

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  const fsyncSync = (descriptor: number): void => {
    if (disk.isFull) throw new Error('EIO');
    fs.fsyncSync(descriptor);
  };
  return { ...fs, fsyncSync };
});

describe('PGlite in a folder', () => {
  let folder = '';

  beforeEach(async () => {
    disk.isFull = false;
    folder = await mkdtemp(join(tmpdir(), 'parley-pglite-'));
    await fillPgliteFolder(folder);
    return () => rm(folder, { recursive: true });
  });

  async function open(options: PgliteOptions = {}) {
    const storage = await createPgliteStorage({ ...options, folder });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('waits for the disk once for each commit', async () => {
    const lock = await lockFolder(folder);
    const { engine, files } = await openDataFolder(lock);
    await engine.exec('create table t (n int)');
    const before = files.syncs;
    for (let n = 0; n < 10; n += 1) await engine.exec(`insert into t values (${n})`);
    expect(files.syncs - before).toBe(10);
    const underCheckpoint = files.syncs;
    await engine.exec('checkpoint');
    expect(files.syncs).toBeGreaterThan(underCheckpoint);
    await engine.close();
    await lock.release();
  });

  test('keeps its single connection usable after refused statements', async () => {
    const storage = await open();
    const [sessionId = ''] = await startSessions(storage, 1);
    for (let time = 0; time < 3; time += 1) {
      await expect(storage.create(sessionOf(sessionId), [], [])).rejects.toThrow('exists');
    }
    expect((await storage.fetch(sessionId, 0))?.head).toEqual(GENESIS);
    expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
  });

  test('reports a commit that was not written to the disk, and accepts no further writes', async () => {
    const reasons: string[] = [];
    const storage = await open({ onStopped: (reason) => reasons.push(reason) });
    const [sessionId = ''] = await startSessions(storage, 1);
    disk.isFull = true;
    await expect(storage.append(appendOf(sessionId, GENESIS))).rejects.toThrow(OutcomeUnknown);
    disk.isFull = false;
    await expect(storage.append(appendOf(sessionId, GENESIS))).rejects.toThrow(StorageUnavailable);
    await expect(storage.health()).rejects.toThrow('The embedded database stopped. Start the program again.');
    expect(reasons).toEqual(['The embedded database stopped. Start the program again.']);
    await storage.close();
    const again = await open();
    expect([0, 1]).toContain((await again.fetch(sessionId, 0))?.head.seq);
  });

  test('is refused to a second storage, and free after close', async () => {
    const storage = await open();
    await expect(open()).rejects.toThrow('in use');
    await storage.close();
    await (await open()).close();
    expect(await readdir(folder)).toEqual(['postgres']);
  });

  test('is created again if its creation was interrupted', async () => {
    await rm(join(folder, 'postgres'), { recursive: true });
    await writeFile(join(folder, 'postgres.new'), 'half a database');
    await (await open({ seed: await pgliteSeed() })).health();
  });

  test('of another major version is refused in one line', async () => {
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '17\n');
    await expect(open()).rejects.toThrow(
      'has the format of PostgreSQL 17, but this program needs the format of PostgreSQL 18.',
    );
  });
});
