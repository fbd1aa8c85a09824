import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';

/**
 * Packs every package as a release does, and checks each archive with publint and attw. Then installs all packages in
 * an empty folder and imports every entry with plain Node, as a user would.
 */

interface Packed {
  readonly name: string;
  readonly archive: string;
  readonly entries: readonly string[];
  /** All peer dependencies, also the optional ones, because an entry may import them. */
  readonly peers: Readonly<Record<string, string>>;
}

const work = mkdtempSync(join(tmpdir(), 'parley-packages-'));
try {
  const packed = released().map(pack);
  for (const { archive } of packed) lint(archive);
  install(packed);
  for (const { name, entries } of packed) importAll(name, entries);
  findConsole();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The folders of all packages that are not private. */
function released(): string[] {
  const folders = ['packages', 'examples'].flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  return folders.filter((folder) => existsSync(join(folder, 'package.json')) && !manifestOf(folder).private);
}

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function pack(folder: string): Packed {
  const { name, exports, peerDependencies = {} } = manifestOf(folder);
  const archive = join(work, `${basename(folder)}.tgz`);
  run('pnpm', ['pack', '--out', archive], resolve(folder));
  return { name, archive, entries: Object.keys(exports), peers: peerDependencies };
}

function lint(archive: string): void {
  console.log(archive.slice(work.length + 1));
  run('pnpm', ['exec', 'publint', 'run', archive, '--strict'], process.cwd());
  run('pnpm', ['exec', 'attw', archive, '--profile', 'esm-only', '--no-emoji'], process.cwd());
}

function install(packed: readonly Packed[]): void {
  const files = Object.fromEntries(packed.map(({ name, archive }) => [name, `file:${archive}`]));
  const peers = Object.assign({}, ...packed.map((each) => each.peers));
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies: { ...peers, ...files } };
  writeFileSync(join(work, 'package.json'), JSON.stringify(manifest));
  const overrides = Object.entries(files).map(([name, file]) => `  '${name}': '${file}'\n`);
  writeFileSync(join(work, 'pnpm-workspace.yaml'), `pmOnFail: ignore\noverrides:\n${overrides.join('')}`);
  run('pnpm', ['install', '--prefer-offline', '--no-lockfile'], work);
}

function importAll(name: string, entries: readonly string[]): void {
  for (const entry of entries) {
    const specifier = name + entry.slice(1);
    const how = entry.endsWith('.json') ? `, { with: { type: 'json' } }` : '';
    run(process.execPath, ['--input-type=module', '--eval', `await import('${specifier}'${how})`], work);
    console.log(`import '${specifier}'`);
  }
}

/**
 * Throws if the package `@parley/owner-app` lacks the console. The console has a separate build, so no other check
 * would fail.
 */
function findConsole(): void {
  const page = join(work, 'node_modules/@parley/owner-app/dist/console/index.html');
  if (!existsSync(page)) throw new Error('The package of the owner app does not contain the console.');
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: failed\n${stdout ?? ''}${stderr ?? ''}`);
}
