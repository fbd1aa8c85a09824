import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { expect, inject, test } from 'vitest';
import { manifestOf } from './manifests.ts';

const archives = inject('archives');

test.each(archives)('publint finds nothing in %s', (archive) => {
  check('publint', 'run', archive, '--strict');
});

test.each(archives.filter((archive) => manifestOf(`packages/${basename(archive, '.tgz')}`).exports))(
  'the types of %s are found by every way of resolving them',
  (archive) => {
    check('attw', archive, '--profile', 'esm-only', '--no-emoji');
  },
);

test('the package to run has no install script and few dependencies', () => {
  const { scripts, dependencies } = JSON.parse(
    execFileSync('tar', ['-xzOf', archives.find((one) => one.endsWith('cli.tgz')) ?? '', 'package/package.json'], {
      encoding: 'utf8',
    }),
  );
  expect(Object.keys(dependencies)).toEqual(['@electric-sql/pglite']);
  expect(Object.keys(scripts ?? {}).filter((name) => /install|prepare/.test(name))).toEqual([]);
});

test.each([
  ['cli', 'package/dist/app/licenses.md', '## koa - '],
  ['cli', 'package/dist/console/licenses.md', '## preact - '],
  ['owner-app', 'package/dist/console/licenses.md', '## preact - '],
])('the archive of %s has in %s the licences of what it bundles', (name, file, bundled) => {
  const archive = archives.find((one) => basename(one) === `${name}.tgz`) ?? '';
  const text = execFileSync('tar', ['-xzOf', archive, file], { encoding: 'utf8' });
  expect(text).toContain(bundled);
  expect(text).toContain('Permission is hereby granted');
});

/** Throws with the findings if the program fails. */
const check = (program: string, ...args: readonly string[]) =>
  execFileSync('pnpm', ['exec', program, ...args], { encoding: 'utf8' });
