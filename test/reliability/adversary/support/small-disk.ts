import { execFileSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newName } from './target.ts';

/** A file system of limited size, in memory. */
export interface SmallDisk {
  readonly folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
}

/** Whether this process can mount a file system: it must run on Linux, as root. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = newName('disk');
  await mkdir(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  onTestFinished(async () => {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      const block = Buffer.alloc(65_536);
      try {
        for (;;) await file.write(block);
      } catch {
        // Writing fails when the disk is full.
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast),
  };
}
