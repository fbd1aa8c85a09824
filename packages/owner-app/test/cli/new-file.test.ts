import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeNewFile } from '../../src/cli/files.ts';
import { newFolder } from '../new-folder.ts';

async function* broken(chunks: number): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; chunk < chunks; chunk += 1) yield new Uint8Array(100_000);
  throw new Error('the connection is lost');
}

// 2,000 files: removing a file that another thread is about to create leaves about one of 200.
test.each([0, 1])('a content that ends with an error after %i chunks leaves no file', async (chunks) => {
  const folder = await newFolder();
  for (let round = 0; round < 40; round += 1) {
    const files = Array.from({ length: 50 }, (_, file) => join(folder, `${round}-${file}`));
    for (const written of await Promise.allSettled(files.map((file) => writeNewFile(file, broken(chunks)))))
      expect(written).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('could not be written (the connection is lost)') },
      });
  }
  expect(await readdir(folder)).toEqual([]);
});
