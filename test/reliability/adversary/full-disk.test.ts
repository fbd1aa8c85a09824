import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { canMount, mountSmallDisk } from './support/small-disk.ts';
import { SESSION, startTarget, type Target } from './support/target.ts';

const LARGE = {
  ...SESSION,
  profile: 'full',
  requirements: Array.from({ length: 90 }, (_, index) => ({
    requirement_id: `R${index}`,
    text: randomBytes(950).toString('hex'),
  })),
};

/** Creates sessions until the process ends or `forMs` has passed. `kept` counts the acknowledged sessions. */
async function press(target: Target, forMs: number): Promise<{ kept: number; statuses: ReadonlySet<number> }> {
  const statuses = new Set<number>();
  let kept = 0;
  for (const end = Date.now() + forMs; Date.now() < end && target.process.exitCode === null; await pause(300)) {
    for (const session of [LARGE, SESSION]) {
      const { status } = await target.owner('/sessions', session);
      statuses.add(status);
      if (status === 200) kept += 1;
    }
  }
  return { kept, statuses };
}

const countOf = async (target: Target): Promise<number> =>
  [(await target.owner('/sessions?limit=200')).body.sessions].flat().length;

describe.skipIf(!canMount)('a full disk', () => {
  test('refuses writes and answers reads while the disk is full, and takes writes again once there is space', async () => {
    const disk = await mountSmallDisk(150);
    const target = await startTarget({ folder: disk.folder });
    expect((await target.owner('/sessions', LARGE)).status).toBe(200);
    await disk.fill();
    const { kept, statuses } = await press(target, 5_000);
    expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
    const refused = await target.owner('/sessions', LARGE);
    expect(refused.body).toMatchObject({
      error: 'STORAGE_UNAVAILABLE',
      message: 'The storage is full: nothing can be written.',
    });
    expect(await countOf(target)).toBe(kept + 1);
    await disk.free();
    expect((await target.owner('/sessions', LARGE)).status).toBe(200);
    expect(await countOf(target)).toBe(kept + 2);
  });

  test.skipIf(process.env.ADVERSARY === 'short')(
    'that outlasts a checkpoint ends the process with a clear line, and nothing acknowledged is lost',
    async () => {
      const disk = await mountSmallDisk(150);
      const target = await startTarget({ folder: disk.folder });
      await disk.fill();
      const { kept } = await press(target, 150_000);
      expect(target.process.exitCode).toBe(1);
      expect(target.log()).toContain('"reason":"The embedded database stopped. Start the program again."');
      await expect(startTarget({ folder: disk.folder })).rejects.toThrow('ENOSPC: no space left on device');
      await disk.free();
      const again = await startTarget({ folder: disk.folder });
      expect(await countOf(again)).toBe(kept);
      expect((await again.owner('/sessions', LARGE)).status).toBe(200);
    },
  );
});
