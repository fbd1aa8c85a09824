import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { dumpPglite, readPgliteSchema, restorePglite } from '../src/index.ts';

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'parley-pglite-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, 'pg');
}

/** A tar archive of one small file. */
function archiveOf(name: string, text: string): Buffer {
  const archive = Buffer.alloc(2_048);
  archive.write(name, 0);
  archive.write(text.length.toString(8).padStart(11, '0'), 124);
  archive.write(text, 512);
  return gzipSync(archive);
}

test('a folder without a database is left alone', async () => {
  const folder = await newFolder();
  expect([await readPgliteSchema({ folder }), await dumpPglite({ folder })]).toEqual([null, null]);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test.each([
  ['no archive', Buffer.from('no archive'), 'This is no dump of an embedded database, or a damaged one.'],
  ['an archive of something else', archiveOf('letter.txt', 'Hello'), 'This archive holds no embedded database.'],
  [
    'of another PostgreSQL',
    archiveOf('pgdata/PG_VERSION', '9\n'),
    'The dump is of PostgreSQL 9; this program opens 18 only.',
  ],
])('a dump that is %s leaves nothing behind', async (_what, bytes, message) => {
  const folder = await newFolder();
  await expect(restorePglite({ folder, dump: new Blob([new Uint8Array(bytes)]) })).rejects.toThrow(message);
  expect(await readdir(folder)).toEqual([]);
});
