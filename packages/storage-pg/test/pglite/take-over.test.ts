import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@parley/core';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPgliteStorage, type PgliteOptions } from '../../src/index.ts';
import { appendOf, GENESIS, startSessions } from '../samples.ts';
import { fillPgliteFolder } from './pglite-template.ts';

const TAKEN = 'Another process took over the database folder, or the lock file was deleted. Start the program again.';

describe('a database folder that another process takes over', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-take-over-'));
    await fillPgliteFolder(folder);
    return () => rm(folder, { recursive: true });
  });

  async function open(options: PgliteOptions = {}): Promise<Storage> {
    const storage = await createPgliteStorage({ ...options, folder });
    onTestFinished(() => storage.close());
    return storage;
  }

  /** Makes each claim look like the claim of a process in another container that has been frozen for long. */
  async function freeze(): Promise<void> {
    for (const name of (await readdir(folder)).filter((one) => one.startsWith('lock-'))) {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify({ pid: 1, startedAt: '1', namespace: 'pid:[1]', bootId: 'another' }));
      await utimes(path, new Date(0), new Date(0));
    }
  }

  const visible = async (): Promise<string[]> =>
    (await readdir(folder)).map((name) => name.replace(/-[0-9a-f-]{36}$/, '-*')).sort();

  /** Hashes the name and the content of each file of the database. */
  async function bytesOf(data: string): Promise<string> {
    const hash = createHash('sha256');
    const entries = await readdir(data, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of paths.sort()) hash.update(path).update(await readFile(path));
    return hash.digest('hex');
  }

  test('keeps each acknowledged write, and gets no byte of the process that lost it', async () => {
    const reasons: string[] = [];
    const first = await open({ onStopped: (reason) => reasons.push(reason) });
    const [early = '', late = ''] = await startSessions(first, 2);
    expect(await first.append(appendOf(early, GENESIS))).toBe('appended');
    await freeze();

    const second = await open();
    expect((await second.fetch(early, 0))?.head.seq).toBe(1);
    expect(await second.append(appendOf(late, GENESIS))).toBe('appended');
    expect(await visible()).toEqual(['lock-*', 'postgres', 'postgres-1']);

    const before = await bytesOf(join(folder, 'postgres-1'));
    const [read, written] = await Promise.allSettled([first.fetch(early, 0), first.append(appendOf(early, GENESIS))]);
    expect([read.status, written.status]).toEqual(['rejected', 'rejected']);
    expect(reasons).toEqual([TAKEN]);
    await first.close();
    expect(await bytesOf(join(folder, 'postgres-1'))).toBe(before);

    await freeze();
    const third = await open();
    expect(await Promise.all([early, late].map(async (id) => (await third.fetch(id, 0))?.head.seq))).toEqual([1, 1]);
    expect(await visible()).toEqual(['lock-*', 'postgres', 'postgres-2']);
  });

  test('is closed by the process that lost it, although a checkpoint was due before', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const reasons: string[] = [];
    const storage = await createPgliteStorage({ folder, onStopped: (reason) => reasons.push(reason) });
    await freeze();
    await open();

    vi.advanceTimersByTime(2_000);
    await expect.poll(() => reasons).toEqual([TAKEN]);
    vi.advanceTimersByTime(60_000);
    await expect(storage.close()).resolves.toBeUndefined();
    expect(unhandled).toEqual([]);
  });

  test('is copied if a crash interrupted the take-over', async () => {
    await writeFile(join(folder, 'lost-elsewhere'), '{}');
    await writeFile(join(folder, 'postgres.new-half'), 'half a copy');
    const [id = ''] = await startSessions(await open(), 1);
    expect(await visible()).toEqual(['lock-*', 'postgres', 'postgres-1']);
    expect(id).not.toBe('');
  });

  test('is not copied if its last process is known to have ended', async () => {
    await (await open()).close();
    await (await open()).close();
    expect(await visible()).toEqual(['postgres']);
  });

  test('is refused by a program that knows only the folder postgres', async () => {
    await freeze();
    await writeFile(join(folder, 'lost-elsewhere'), '{}');
    await (await open()).close();
    await expect(readFile(join(folder, 'postgres', 'PG_VERSION'))).rejects.toThrow('ENOTDIR');
    expect(await readFile(join(folder, 'postgres'), 'utf8')).toBe('The database is in the folder postgres-1.\n');
  });
});
