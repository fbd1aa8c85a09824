import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { dumpPglite, readPgliteSchema, restorePglite } from '../../src/index.ts';
import { archiveOf, type Entry } from './tar-archive.ts';

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'parley-pglite-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, 'pg');
}

test('a folder without a database is not changed', async () => {
  const folder = await newFolder();
  expect([await readPgliteSchema({ folder }), await dumpPglite({ folder })]).toEqual([null, null]);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

const VERSION: Entry = { name: '/PG_VERSION', text: '18\n' };
const whole = archiveOf(VERSION, { name: '/base/1/1', text: 'x'.repeat(2_000) });

test.each([
  ['is no archive', Buffer.from('no archive'), 'This file is not a dump of an embedded database, or it is damaged.'],
  [
    'is an archive of something else',
    archiveOf({ name: 'letter.txt' }),
    'This archive does not contain an embedded database.',
  ],
  [
    'is of another PostgreSQL',
    archiveOf({ name: 'PG_VERSION', text: '9\n' }),
    'The dump has the format of PostgreSQL 9, but this program needs the format of PostgreSQL 18. Restore it with the version of Parley that wrote it.',
  ],
  [
    'has control characters for a version',
    archiveOf({ name: 'PG_VERSION', text: '\u001b[2J' }),
    'The archive is damaged: its file PG_VERSION contains no version.',
  ],
  [
    'is cut',
    whole.subarray(0, whole.length - 20),
    'This file is not a dump of an embedded database, or it is damaged.',
  ],
  [
    'ends within a file',
    archiveOf(VERSION, { name: '/base/1/1', size: 5_000 }),
    'The archive is truncated: it ends inside base/1/1.',
  ],
  [
    'has a damaged head',
    gzipSync(Buffer.alloc(2_048, 'x')),
    `The archive is damaged: the checksum of "${'x'.repeat(100)}" does not match.`,
  ],
  [
    'leads out of the folder',
    archiveOf(VERSION, { name: '../../evil', text: 'x' }),
    'The archive is not a backup of Parley: it contains "../../evil", which no data folder contains.',
  ],
  [
    'has HTML and control characters for a name',
    archiveOf(VERSION, { name: '/<b>\u001b[2J' }),
    'The archive is not a backup of Parley: it contains "/<b>\\u001b[2J", which no data folder contains.',
  ],
  [
    'has a link',
    archiveOf(VERSION, { name: '/pg_tblspc/1', type: '2' }),
    'The archive is not a backup of Parley: it contains "/pg_tblspc/1", which is neither a file nor a folder.',
  ],
  [
    'has a file twice',
    archiveOf(VERSION, VERSION),
    'The archive is not a backup of Parley: it contains PG_VERSION twice.',
  ],
])('a dump that %s leaves nothing behind', async (_what, bytes, message) => {
  const folder = await newFolder();
  await expect(restorePglite({ folder, dump: new Blob([new Uint8Array(bytes)]) })).rejects.toThrow(message);
  expect(await readdir(folder)).toEqual([]);
});

test('a dump that unpacks to more than a thousand times its length is processed in pieces', async () => {
  const folder = await newFolder();
  const zeros = '\0'.repeat(60_000_000);
  const bomb = archiveOf({ name: '/base/1/1', text: zeros }, { name: '/PG_VERSION', text: '17' });
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 1);
  await expect(restorePglite({ folder, dump: new Blob([new Uint8Array(bomb)]) })).rejects.toThrow('of PostgreSQL 17');
  clearInterval(watch);
  expect(bomb.length).toBeLessThan(66_000);
  expect(most - before).toBeLessThan(50_000_000);
});
