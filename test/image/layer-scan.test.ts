import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mustRun } from './container-tool.ts';
import { scanLayer } from './layer-scan.ts';

function archiveOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-layer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'root');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  mustRun('tar', ['--directory', root, '--create', '--file', join(folder, 'layer.tar'), '.']);
  return join(folder, 'layer.tar');
}

test('the scan of a layer finds private files by their names', async () => {
  const archive = archiveOf({
    'app/main.js': 'run()',
    'root/.npmrc': '',
    'src/.git/HEAD': 'ref',
    'app/.github/workflow.yml': '',
    'app/npmrc.md': '',
    'data/owner-key': '',
  });
  expect((await scanLayer(archive)).sort()).toEqual([
    './data/owner-key',
    './root/.npmrc',
    './src/.git/',
    './src/.git/HEAD',
  ]);
});

test.each([
  ['owner key', `pok_${'a'.repeat(43)}`],
  ['npm token', `//registry.example.com/:_authToken=${'b'.repeat(24)}`],
  ['private key', `-----BEGIN EC PRIVATE KEY-----\n${'c'.repeat(64)}\n`],
])('the scan of a layer finds an %s wherever it stands in a file', async (name, secret) => {
  for (const before of [0, 65_530, 200_000])
    expect(await scanLayer(archiveOf({ 'app/main.js': `${'x '.repeat(before / 2)}${secret}` }))).toEqual([name]);
});

test('the scan of a layer takes the examples of a document for no secrets', async () => {
  const text = 'pok_1 prt_… //registry.npmjs.org/:_authToken=MYTOKEN -----BEGIN PRIVATE KEY-----\\nXXXX';
  expect(await scanLayer(archiveOf({ 'docs/npm.md': text }))).toEqual([]);
});
