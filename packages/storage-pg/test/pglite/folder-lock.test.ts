import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FolderInUse, lockFolder } from '../../src/pglite/folder-lock.ts';
import { type Child, compileChild, startChild } from '../child-process.ts';

let program = '';
let folder = '';
const folders: string[] = [];

beforeAll(async () => {
  program = await compileChild('hold-folder');
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-lock-'));
  folders.push(folder);
});

afterAll(async () => {
  for (const one of folders) await rm(one, { recursive: true });
});

async function holdInChild(): Promise<Child> {
  const child = startChild(program, folder);
  onTestFinished(() => child.kill());
  await child.wrote(1);
  return child;
}

/** Writes a lock file as a process in another container would. */
async function claimFromElsewhere(): Promise<string> {
  const path = join(folder, 'lock-elsewhere');
  await writeFile(path, JSON.stringify({ pid: 1, startedAt: '1', namespace: 'pid:[1]', bootId: 'another' }));
  return path;
}

describe('a locked folder', () => {
  test('is refused to the same process', async () => {
    const lock = await lockFolder(folder);
    const refusal = await lockFolder(folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FolderInUse);
    expect(refusal).toMatchObject({
      folder,
      pid: process.pid,
      message: `The folder ${folder} is in use by process ${process.pid}.`,
    });
    await lock.release();
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('is refused to another process', async () => {
    const child = await holdInChild();
    expect(child.lines).toEqual(['held']);
    await expect(lockFolder(folder)).rejects.toMatchObject({ name: 'FolderInUse', folder, pid: child.process.pid });
  });

  test('is free after its holder was killed', async () => {
    const child = await holdInChild();
    await child.kill();
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  test("is free if its holder's process id belongs to a process that started later", async () => {
    const claim = { pid: process.pid, startedAt: '1', ...(await ownPlace()) };
    await writeFile(join(folder, 'lock-before'), JSON.stringify(claim));
    await (await lockFolder(folder)).release();
  });

  test('gets at most one holder if many processes start together after its holder died', async () => {
    const dead = await holdInChild();
    await dead.kill();
    const children = await Promise.all(Array.from({ length: 6 }, holdInChild));
    expect(children.filter(({ lines }) => lines[0] === 'held').length).toBeLessThanOrEqual(1);
    await Promise.all(children.map((child) => child.kill()));
    await (await lockFolder(folder)).release();
  });

  test('of a holder on another machine is refused while the holder renews its claim', async () => {
    const path = await claimFromElsewhere();
    const claim = await readFile(path);
    const beat = setInterval(() => void writeFile(path, claim, { flag: 'r+' }), 100);
    onTestFinished(() => clearInterval(beat));
    await expect(lockFolder(folder)).rejects.toMatchObject({ name: 'FolderInUse', folder, pid: 1 });
  });

  test('of a holder on another machine is free if its claim is old', async () => {
    const path = await claimFromElsewhere();
    await utimes(path, new Date(0), new Date(0));
    await (await lockFolder(folder)).release();
  });

  test('of a holder on another machine is free if its claim is not renewed', async () => {
    await claimFromElsewhere();
    await (await lockFolder(folder, 500)).release();
  });

  test('is free if a power cut left an incomplete claim', async () => {
    const path = join(folder, 'lock-half');
    await writeFile(path, '{"pid":');
    await utimes(path, new Date(0), new Date(0));
    await (await lockFolder(folder)).release();
  });

  test('does not count as held while its claim cannot be renewed, and is held again afterwards', async () => {
    const beat = fakeBeat();
    const lock = await lockFolder(folder);
    const [name = ''] = await readdir(folder);
    const path = join(folder, name);
    await rename(path, join(folder, 'aside'));
    await mkdir(path); // The path is now a folder, so the lock file cannot be opened for writing.
    await beat(() => lock.isDoubted());
    await rmdir(path);
    await rename(join(folder, 'aside'), path);
    await beat(() => !lock.isDoubted());
    await expect(Promise.race([lock.lost, 'held'])).resolves.toBe('held');
    await lock.release();
  });

  test('notifies its holder if its claim file contains the claim of another process', async () => {
    const beat = fakeBeat();
    const lock = await lockFolder(folder);
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, name), '{"pid":1}');
    await beat(() => lock.isDoubted());
    await lock.lost;
    await lock.release();
  });

  test('notifies its holder if another process has taken the lock', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const lock = await lockFolder(folder);
    for (const name of await readdir(folder)) await rm(join(folder, name));
    vi.advanceTimersByTime(2_000);
    await lock.lost;
    await lock.release();
  });
});

/** Fakes the timers of intervals. The returned function fires the lock's renewal timer until a condition is true. */
function fakeBeat(): (isSo: () => boolean) => Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return (isSo) =>
    expect
      .poll(() => {
        vi.advanceTimersByTime(2_000);
        return isSo();
      })
      .toBe(true);
}

/** Returns the namespace and the boot id of this process, as its lock file contains them. */
async function ownPlace(): Promise<{ namespace: string; bootId: string }> {
  const lock = await lockFolder(folder);
  const [name = ''] = await readdir(folder);
  const { namespace, bootId } = JSON.parse(await readFile(join(folder, name), 'utf8'));
  await lock.release();
  return { namespace, bootId };
}
