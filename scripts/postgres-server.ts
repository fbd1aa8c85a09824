import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const FOLDER_PREFIX = 'parley-pg-';
const RUNNER_FILE = 'runner.pid';
const STARTING_MS = 60_000;

export interface PostgresServer {
  readonly url: string;
  /** Fast shutdown; removes the data. */
  stop(): Promise<void>;
  /** Ends the server as a crash would. The data stays; `restart` recovers it. */
  crash(): Promise<void>;
  /** Starts again on the same data and port after `crash`. */
  restart(): Promise<void>;
}

export interface PostgresOptions {
  /** Commits reach the disk, as in production. Off by default: tests that kill nothing need no fsync. */
  readonly durable?: boolean;
  /** Server settings, for example `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a private PostgreSQL server in a folder of its own, also when called by root.
 *
 * @returns the running server, or null where no PostgreSQL server program is installed
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer | null> {
  removeOrphans();
  const bin = findBinaries();
  return bin === undefined ? null : launch(bin, options);
}

async function launch(bin: string, options: PostgresOptions): Promise<PostgresServer> {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  writeFileSync(join(folder, RUNNER_FILE), String(process.pid));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  // The user of the server may not read our folder, and the locale must exist everywhere.
  const base = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  const init = [
    '-D',
    data,
    '-U',
    'parley',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
    '--no-instructions',
  ];
  const made = spawnSync(join(bin, 'initdb'), init, { ...base, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);

  const port = await freePort();
  const settings = {
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const args = [
    ...['-D', data, '-k', folder, '-h', '127.0.0.1', '-p', String(port)],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const start = () => spawn(join(bin, 'postgres'), args, { ...base, stdio: ['ignore', 'ignore', 'pipe'] });

  let server = start();
  const onExit = () => server.kill('SIGQUIT');
  process.once('exit', onExit);
  await isReady(server);
  return {
    url: `postgres://parley@127.0.0.1:${port}/postgres`,
    async stop() {
      await end(server, 'SIGINT');
      process.off('exit', onExit);
      rmSync(folder, { recursive: true, force: true });
    },
    crash: () => end(server, 'SIGQUIT'),
    async restart() {
      server = start();
      await isReady(server);
    },
  };
}

/** The folder of `initdb` and `postgres`, newest version first. */
function findBinaries(): string | undefined {
  const folders = [
    ...(process.env.PG_BIN ? [process.env.PG_BIN] : []),
    ...versioned('/usr/lib/postgresql', /^(\d+)$/),
    ...versioned('/usr', /^pgsql-(\d+)$/),
    ...versioned('/opt/homebrew/opt', /^postgresql@(\d+)$/),
    ...versioned('/usr/local/opt', /^postgresql@(\d+)$/),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')));
}

function versioned(parent: string, name: RegExp): string[] {
  const version = (entry: string) => Number(name.exec(entry)?.[1]);
  return entries(parent)
    .filter((entry) => name.test(entry))
    .sort((a, b) => version(b) - version(a))
    .map((entry) => join(parent, entry, 'bin'));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root, so root starts it as somebody else. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    if (uid.status !== 0) continue;
    return { uid: Number(uid.stdout), gid: Number(execFileSync('id', ['-g', name], { encoding: 'utf8' })) };
  }
  throw new Error('running as root, and there is no user postgres or nobody to run PostgreSQL as');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function isReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (text) => {
      // The end of it: clients that cannot wait fill the log with refusals before the server is ready.
      log = (log + text).slice(-20_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}\n${log}`)));
  });
}

async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await gone;
}

/** Ends the servers whose runner was killed before it could, and removes their folders. */
function removeOrphans(): void {
  for (const name of entries(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(tmpdir(), name);
    if (isOwned(folder)) continue;
    const server = pidIn(join(folder, 'data', 'postmaster.pid'));
    try {
      if (server !== undefined && isServerOf(server, folder)) process.kill(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Another user's: theirs to remove.
    }
  }
}

function isOwned(folder: string): boolean {
  const runner = pidIn(join(folder, RUNNER_FILE));
  if (runner !== undefined) return isAlive(runner);
  return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - STARTING_MS;
}

function isServerOf(pid: number, folder: string): boolean {
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  return command.stdout?.includes(folder) ?? false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pidIn(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
