import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContainerTool, isInstalled, mustRun } from './container-tool.ts';

/** The release of Debian on which `node:…-slim` is built. */
const SUITE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';

export function baseImage(): string {
  const [, name] = /^FROM (node:\S+)/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  return `docker.io/library/${name}`;
}

/**
 * Provides the base image from the local store, else from the registry. Without a registry, makes an image of the same
 * name for podman, from Debian (debootstrap), `node` and npm. Returns what is missing if there is no base image.
 */
export function provideBaseImage(tool: ContainerTool): string | undefined {
  const name = baseImage();
  if (tool.run('image', 'inspect', name).code === 0) return undefined;
  if (tool.run('pull', '--quiet', name).code === 0) return undefined;
  if (tool.name !== 'podman') return `docker cannot pull ${name}; install podman and debootstrap, which can make it`;
  if (!isInstalled('debootstrap')) return `podman cannot pull ${name}; install debootstrap, with which it is made here`;
  console.log(`No registry has ${name}: it is made from Debian and npm.`);
  const work = mkdtempSync(join(tmpdir(), 'parley-base-'));
  try {
    const root = join(work, 'root');
    fillRoot(work, root);
    const archive = join(work, 'root.tar');
    mustRun('tar', ['--directory', root, '--create', '--file', archive, '.']);
    tool.must('import', archive, name);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function fillRoot(work: string, root: string): void {
  const mirror = process.env.DEBIAN_MIRROR ?? MIRROR;
  mustRun('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, root, mirror]);
  const [, version = ''] = /node:(\d+\.\d+\.\d+)/.exec(baseImage()) ?? [];
  mustRun('npm', ['pack', '--silent', `node-linux-${process.arch}@${version}`, 'npm@11'], { cwd: work });
  for (const file of readdirSync(work).filter((entry) => entry.endsWith('.tgz'))) {
    mustRun('tar', ['--extract', '--file', file], { cwd: work });
    if (file.startsWith('npm-')) installNpm(join(work, 'package'), root);
    else mustRun('install', ['-D', join(work, 'package/bin/node'), join(root, 'usr/local/bin/node')]);
    rmSync(join(work, 'package'), { recursive: true, force: true });
  }
  mustRun('chroot', [root, 'groupadd', '--gid', '1000', 'node']);
  mustRun('chroot', [root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node']);
  rmSync(join(root, 'var/cache/apt/archives'), { recursive: true, force: true });
}

function installNpm(unpacked: string, root: string): void {
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  renameSync(unpacked, join(modules, 'npm'));
  for (const command of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(root, 'usr/local/bin', command));
}
