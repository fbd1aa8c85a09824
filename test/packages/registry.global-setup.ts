import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../scripts/servers/free-port.ts';
import { runBeside } from '../../scripts/servers/side-program.ts';
import { manifestOf } from './manifests.ts';

/**
 * Packs every package as a release does, and publishes the archives to a registry on loopback. Other packages come through it
 * from the registry that npm is configured with.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'));
  const archives = released().map((one) => pack(one, folder));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const program = join(dirname(createRequire(import.meta.url).resolve('verdaccio/package.json')), 'bin/verdaccio');
  writeFileSync(join(folder, 'config.yaml'), settingsOf(folder));
  const registry = await runBeside(
    process.execPath,
    [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    port,
  );
  // Anybody may publish, but npm sends nothing to a registry for which it has no token.
  writeFileSync(join(folder, 'npmrc'), `//127.0.0.1:${port}/:_authToken=none\n`);
  for (const archive of archives)
    execFileSync('npm', ['publish', archive, '--registry', url, '--userconfig', join(folder, 'npmrc')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  project.provide('registry', url);
  project.provide('archives', archives);
  return async () => {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The folders of all packages that are not private. */
const released = (): string[] =>
  readdirSync('packages')
    .map((name) => join('packages', name))
    .filter((folder) => !manifestOf(folder).private);

function pack(folder: string, to: string): string {
  const archive = join(to, `${basename(folder)}.tgz`);
  execFileSync('pnpm', ['pack', '--out', archive], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return archive;
}

/** Scoped packages of this repository are served from its own storage only, so that no published version is tested instead. */
const settingsOf = (folder: string): string => `
storage: ${join(folder, 'storage')}
auth: {}
uplinks:
  npm:
    url: ${execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()}
    maxage: 60m
packages:
  '${manifestOf('packages/cli').name.split('/')[0]}/*': { access: $all, publish: $all }
  '**': { access: $all, proxy: npm }
log: { type: stdout, format: json, level: error }
max_body_size: 50mb
`;
