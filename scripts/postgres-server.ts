import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from './free-port.ts';
import { FOLDER_PREFIX, RUNNER_FILE, removeOrphans } from './postgres-orphans.ts';
import { findPrograms, serverUser } from './postgres-programs.ts';

export interface PostgresServer {
  readonly url: string;
  /** Fast shutdown; removes the data. */
  stop(): Promise<void>;
  /** Stops the server without a shutdown, as a crash would. The data stays; `restart` recovers it. */
  crash(): Promise<void>;
  /** Starts again on the same data and port after `crash`. */
  restart(): Promise<void>;
  /**
   * Starts a standby on a copy of the data (pg_basebackup). It follows this server by streaming replication, with the
   * same settings, until `select pg_promote()`.
   * @param port local port at which it reaches this server, for example of a proxy that can interrupt the stream
   */
  addStandby(port: number): Promise<PostgresServer>;
}

export interface PostgresOptions {
  /** Makes commits durable, as in production. Off by default: tests without crashes need no fsync. */
  readonly durable?: boolean;
  /** Server settings, for example `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a private PostgreSQL server in its own folder, also when run as root.
 * @returns the running server, or null if no PostgreSQL server program is installed
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer | null> {
  removeOrphans();
  const bin = findPrograms(['initdb', 'postgres']);
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

/** The data folder of a server, and how to start its programs. */
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
  // The server's user may not read our working folder, and locale C exists everywhere.
  const base = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  return { bin, folder, data: join(folder, 'data'), base };
}

/** Runs the program that creates the data folder. */
async function fill({ bin, data, base }: Place, program: string, args: readonly string[]): Promise<void> {
  const made = spawn(join(bin, program), ['-D', data, ...args], { ...base, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = made.stderr ? text(made.stderr) : Promise.resolve('');
  const [code] = await once(made, 'close');
  if (code !== 0) throw new Error(`${program} failed: ${await said}`);
}

async function run({ bin, folder, data, base }: Place, options: PostgresOptions): Promise<PostgresServer> {
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
    addStandby: (through) => copyServer(bin, through, options),
  };
}

function isReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (part) => {
      // Keeps the end of the log: clients that connect too early fill it with refusals.
      log = (log + part).slice(-20_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
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
