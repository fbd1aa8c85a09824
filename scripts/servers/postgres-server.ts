import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { FOLDER_PREFIX, RUNNER_FILE, removeOrphans } from './postgres-orphans.ts';
import { findPrograms, serverUser } from './postgres-programs.ts';

export interface PostgresServer {
  readonly url: string;
  /** Shuts the server down and removes its data. */
  stop(): Promise<void>;
  /** Stops the server immediately, as in a crash. The data stays, and `restart` recovers it. */
  crash(): Promise<void>;
  /**
   * Kills all processes of the server with SIGKILL and waits until they have ended. The data stays, and `restart`
   * recovers it.
   */
  kill(): Promise<void>;
  /** Starts the server again, on the same data and port. */
  restart(): Promise<void>;
  /**
   * Starts a standby: a server with a copy of the data (pg_basebackup) and the same settings. The standby follows this
   * server by streaming replication until `select pg_promote()` runs on the standby.
   *
   * @param port local port at which the standby reaches this server, for example the port of a proxy that can interrupt
   *   the stream
   */
  addStandby(port: number): Promise<PostgresServer>;
}

export interface PostgresOptions {
  /** Whether commits survive a crash, as in production. Default false, because tests without crashes need no fsync. */
  readonly durable?: boolean;
  /** Server settings, for example `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Library to load at the start, such as `citus`. A PostgreSQL that lacks it counts as not installed. */
  readonly library?: string;
  /** The only address at which the server listens. Default 127.0.0.1. */
  readonly address?: string;
}

/**
 * Starts a private PostgreSQL server in its own folder. This also works if the current user is root.
 *
 * @returns the running server, or null if PostgreSQL is not installed
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer | null> {
  removeOrphans();
  const bin = findPrograms(['initdb', 'postgres'], options.library);
  if (bin === undefined) return null;
  const place = makePlace(bin);
  const account = ['-U', 'parley', '-A', 'trust'];
  await fill(place, 'initdb', [...account, '-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions']);
  return run(place, options);
}

async function copyServer(bin: string, port: number, options: PostgresOptions): Promise<PostgresServer> {
  const place = makePlace(bin);
  const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'parley'];
  await fill(place, 'pg_basebackup', [...source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']);
  return run(place, options);
}

interface Place {
  readonly bin: string;
  readonly folder: string;
  readonly data: string;
  readonly base: SpawnOptions;
}

function makePlace(bin: string): Place {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  writeFileSync(join(folder, RUNNER_FILE), String(process.pid));
  if (user) chownSync(folder, user.uid, user.gid);
  // The server's user may not be allowed to read the present folder, so `cwd` is the server's folder. Every machine has
  // the locale C.
  const base = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  return { bin, folder, data: join(folder, 'data'), base };
}

/** Runs the program that creates the server's data folder. */
async function fill({ bin, data, base }: Place, program: string, args: readonly string[]): Promise<void> {
  const made = spawn(join(bin, program), ['-D', data, ...args], { ...base, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = made.stderr ? text(made.stderr) : Promise.resolve('');
  const [code] = await once(made, 'close');
  if (code !== 0) throw new Error(`${program} failed: ${await said}`);
}

async function run({ bin, folder, data, base }: Place, options: PostgresOptions): Promise<PostgresServer> {
  const { address = '127.0.0.1' } = options;
  const port = await freePort();
  const settings = {
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...(options.library === undefined ? {} : { shared_preload_libraries: options.library }),
    ...options.settings,
  };
  const args = [
    ...['-D', data, '-k', folder, '-h', address, '-p', String(port)],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const start = () => spawn(join(bin, 'postgres'), args, { ...base, stdio: ['ignore', 'ignore', 'pipe'] });

  let server = start();
  const onExit = () => server.kill('SIGQUIT');
  process.once('exit', onExit);
  await isReady(server);
  return {
    url: `postgres://parley@${address}:${port}/postgres`,
    async stop() {
      await end(server, 'SIGINT');
      process.off('exit', onExit);
      rmSync(folder, { recursive: true, force: true });
    },
    crash: () => end(server, 'SIGQUIT'),
    async kill() {
      // A server suspended by SIGSTOP starts no further child process, so `children` is complete.
      server.kill('SIGSTOP');
      const children = childrenOf(server);
      await end(server, 'SIGKILL');
      for (const pid of children) killChild(pid);
      // A child process that is still ending uses the shared memory of the data folder, and the server would refuse to
      // start.
      while (areRunning(children)) await sleep(10);
    },
    async restart() {
      server = start();
      await isReady(server);
    },
    addStandby: (through) => copyServer(bin, through, options),
  };
}

function isReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (part) => {
      // Keeps only the end of the log, which grows with each client that connects before the server is ready.
      log = (log + part).slice(-20_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}\n${log}`)));
  });
}

/** The processes that this server has started. */
const childrenOf = ({ pid }: ChildProcess): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter((child) => child > 0);

/** Whether any of the processes exists. A process in state Z, which has ended, does not count. */
const areRunning = (pids: readonly number[]): boolean =>
  pids.length > 0 &&
  spawnSync('ps', ['-o', 'stat=', '-p', pids.join(',')], { encoding: 'utf8' })
    .stdout.split('\n')
    .some((state) => state !== '' && !state.startsWith('Z'));

function killChild(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The child process has already ended with the server.
  }
}

async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await gone;
}
