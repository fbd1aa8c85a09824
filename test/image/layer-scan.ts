import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContainerTool, mustRun } from './container-tool.ts';

/** Files of somebody's machine or repository, which must not be in an image. */
const PRIVATE_FILE =
  /(?:^|\/)(?:\.npmrc|\.git|\.gitconfig|\.env(?:\.[^/]*)?|\.netrc|\.ssh|\.docker|\.bash_history|\.parley|owner-key)(?:\/|$)/;

/** Patterns of secrets. Each requires the length of a real secret, so that examples in documents do not match. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'owner key': /pok_[A-Za-z0-9_-]{43}/,
  'agent token': /prt_[A-Za-z0-9_-]{32}/,
  'npm token': /npm_[A-Za-z0-9]{36}|_authToken\s*=\s*[A-Za-z0-9+/=_-]{20}/,
  'GitHub token': /gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40}/,
  'AWS key': /AKIA[0-9A-Z]{16}/,
  'private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}/,
};

interface ImageScan {
  readonly layers: number;
  readonly findings: readonly string[];
}

/** The last characters of each chunk of a layer are searched again with the next chunk: a secret may be in both. */
const OVERLAP = 256;

/**
 * Lists private files and secrets in the layers that an image adds to its base, as lines such as `.npmrc in layer 2`.
 * Leaves out the base, whose libraries contain keys for their self-tests.
 */
export async function scanImage(tool: ContainerTool, image: string, base: string): Promise<ImageScan> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-layers-'));
  try {
    const archive = join(folder, 'image.tar');
    const format = tool.name === 'podman' ? ['--format', 'docker-archive'] : [];
    tool.must('save', ...format, '--output', archive, image);
    mustRun('tar', ['--extract', '--file', archive], { cwd: folder });
    const [{ Layers: files }] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const [of, below] = [image, base].map((name) => JSON.parse(tool.must('image', 'inspect', name))[0].RootFS.Layers);
    if (below.some((layer: string, index: number) => layer !== of[index]))
      throw new Error(`${image} is not built on ${base}.`);
    const findings: string[] = [];
    for (const [index, file] of files.slice(below.length).entries())
      for (const finding of await scanLayer(join(folder, file))) findings.push(`${finding} in layer ${index + 1}`);
    return { layers: files.length - below.length, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function scanLayer(archive: string): Promise<string[]> {
  const { stdout } = spawnSync('tar', ['--list', '--file', archive], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const files = stdout.split('\n').filter((file) => PRIVATE_FILE.test(file));
  return [...files, ...(await scanContents(archive))];
}

async function scanContents(archive: string): Promise<string[]> {
  const found = new Set<string>();
  const child = spawn('tar', ['--extract', '--to-stdout', '--file', archive], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let end = '';
  for await (const part of child.stdout) {
    const text = end + part.toString('latin1');
    for (const [name, secret] of Object.entries(SECRETS)) if (secret.test(text)) found.add(name);
    end = text.slice(-OVERLAP);
  }
  const [code] = await closed;
  if (code !== 0) throw new Error(`tar cannot read ${archive}: it ended with ${code}.`);
  return [...found];
}
