import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const nested = ['packages', 'examples'].flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`));
const members = [...nested, 'bench'].filter((folder) => existsSync(`${folder}/package.json`));
const manifests = ['.', ...members].map((folder) => ({ folder, ...json<Manifest>(`${folder}/package.json`) }));

describe('every package', () => {
  test.each(manifests)('$folder is ESM, MIT and says which Node it needs', (manifest) => {
    expect(manifest).toMatchObject({ type: 'module', license: 'MIT', engines: { node: '>=20.19' } });
  });

  test.each(manifests)('$folder takes its versions from the catalog', ({ dependencies, devDependencies }) => {
    const wrong = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, version]) => version !== (name.startsWith('@parley/') ? 'workspace:*' : 'catalog:'),
    );
    expect(wrong).toEqual([]);
  });

  test.each(manifests.filter(({ bin }) => bin))('$folder has its commands before a build', (manifest) => {
    for (const file of Object.values(manifest.bin ?? {})) {
      const path = `${manifest.folder}/${file}`;
      expect(execFileSync('git', ['ls-files', '--stage', path], { encoding: 'utf8' })).toMatch(/^100755 /);
      expect(readFileSync(path, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });

  test('is built and type-checked from the root, its tests too', () => {
    const known = new Set(
      json<{ references: { path: string }[] }>('tsconfig.json').references.map(({ path }) => path.replace(/^\.\//, '')),
    );
    const wanted = members.flatMap((folder) => [folder, `${folder}/tsconfig.test.json`]);
    const missing = wanted.filter(
      (path) => !known.has(path) && existsSync(path.endsWith('.json') ? path : `${path}/tsconfig.json`),
    );
    expect(missing).toEqual([]);
  });
});

test('the catalog names exact versions', () => {
  const catalog = /^catalog:\n((?: {2}.*\n)+)/m.exec(readFileSync('pnpm-workspace.yaml', 'utf8'))?.[1] ?? '';
  const loose = catalog
    .trimEnd()
    .split('\n')
    .filter((line) => !/: \d+\.\d+\.\d+$/.test(line));
  expect(catalog).not.toBe('');
  expect(loose).toEqual([]);
});

function json<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
