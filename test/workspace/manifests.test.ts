import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ADDRESS = 'https://github.com/parley-dev/parley';

interface Manifest {
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly name: string;
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

describe('every published package', () => {
  const published = manifests.filter((manifest) => !manifest.private);

  test('is one of these', () => {
    expect(published.map(({ folder }) => folder)).toEqual(
      ['cli', 'core', 'http-host', 'mcp-host', 'missions', 'owner-app', 'storage-pg'].map((name) => `packages/${name}`),
    );
  });

  test.each(published)('$folder says where its source, its issues and its pages are', ({ folder, ...manifest }) => {
    expect(manifest).toMatchObject({
      homepage: `${ADDRESS}/tree/main/${folder}#readme`,
      bugs: `${ADDRESS}/issues`,
      repository: { type: 'git', url: `git+${ADDRESS}.git`, directory: folder },
    });
  });

  test.each(published)('$folder has at least five keywords, each once', ({ keywords = [] }) => {
    expect(keywords.length).toBeGreaterThanOrEqual(5);
    expect(keywords).toEqual([...new Set(keywords)]);
  });

  test.each(published)('$folder has a README under its name', ({ folder, name }) => {
    expect(readFileSync(`${folder}/README.md`, 'utf8').split('\n')[0]).toBe(`# ${name}`);
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
