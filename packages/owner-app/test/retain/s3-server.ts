import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { expect, onTestFinished } from 'vitest';
import type { S3Place } from '../../src/server/retain/open-archive.ts';

export const BUCKET = 'parley-archive';
/** The credentials of s3rver. versitygw is started with the same credentials. */
const KEY = 'S3RVER';

export interface S3Server {
  /** The address of the server, such as `http://127.0.0.1:4568`. */
  readonly endpoint: string;
  /** Where the archive stores its objects: in the bucket `BUCKET`, under the prefix `ended/`. */
  readonly place: S3Place;
  /** Returns the names of the objects in the bucket, without the prefix. */
  names(): Promise<string[]>;
}

const placeAt = (endpoint: string): S3Place => ({
  bucket: BUCKET,
  prefix: 'ended/',
  endpoint,
  region: 'us-east-1',
  isPathStyle: true,
  accessKeyId: KEY,
  secretAccessKey: KEY,
  sessionToken: undefined,
});

/** Starts s3rver with an empty bucket on a free port. It runs until the test ends. */
async function startS3rver(): Promise<S3Server> {
  const directory = await newFolder();
  const configureBuckets = [{ name: BUCKET }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  onTestFinished(() => server.close());
  const endpoint = `http://127.0.0.1:${port}`;
  const names = async () =>
    (await readdir(join(directory, BUCKET, 'ended')).catch((): string[] => []))
      .filter((name) => name.endsWith('._S3rver_object'))
      .map((name) => name.replace('._S3rver_object', ''))
      .sort();
  return { endpoint, place: placeAt(endpoint), names };
}

/** Starts versitygw on a free port. It stores objects in a folder and verifies checksums. */
async function startVersitygw(program: string): Promise<S3Server> {
  const directory = await newFolder();
  await mkdir(join(directory, 'root', BUCKET), { recursive: true });
  for (const part of ['meta', 'users']) await mkdir(join(directory, part));
  const port = await freePort();
  const users = ['--access', KEY, '--secret', KEY, '--iam-dir', join(directory, 'users')];
  const flags = ['--port', `127.0.0.1:${port}`, ...users, '--quiet'];
  const posix = ['posix', '--sidecar', join(directory, 'meta'), join(directory, 'root')];
  const child = spawn(program, [...flags, ...posix], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  const status = () =>
    fetch(endpoint).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status).toBe(403);
  const names = async () => (await readdir(join(directory, 'root', BUCKET, 'ended')).catch((): string[] => [])).sort();
  return { endpoint, place: placeAt(endpoint), names };
}

/** The S3 servers of the tests. versitygw is included only if the variable VERSITYGW contains its path. */
export const S3_SERVERS: readonly (readonly [name: string, start: () => Promise<S3Server>])[] = [
  ['s3rver', startS3rver],
  ...(process.env.VERSITYGW ? [['versitygw', () => startVersitygw(process.env.VERSITYGW ?? '')] as const] : []),
];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address ? address.port : 0;
}
