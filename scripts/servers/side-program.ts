import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isProgram } from './is-program.ts';

/** A server program that tests run on a port of its own. It ends when this process ends. */
export interface SideProgram {
  readonly port: number;
  /** Kills the program, as a crash would. `start` then starts it on the same port. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Returns the path of a program, or null if it is not installed.
 *
 * @param required environment variable; if its value is 1, a missing program is an error
 */
export function findProgram(name: string, required: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];
  const file = folders.map((folder) => join(folder, name)).find(isProgram);
  if (file !== undefined) return file;
  if (process.env[required] === '1') throw new Error(`${required}=1, but ${name} is not installed`);
  console.log(`${name} is not installed: the tests that need it are skipped.`);
  return null;
}

/** Starts a program that listens on the port. Resolves when the program accepts connections. */
export async function runBeside(
  file: string,
  args: readonly string[],
  port: number,
  options: SpawnOptions = {},
): Promise<SideProgram> {
  let child: ChildProcess | undefined;
  const kill = () => child?.kill('SIGKILL');
  process.once('exit', kill);

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  async function start(): Promise<void> {
    child = spawn(file, args, { ...options, stdio: 'ignore' });
    await accepts(child, port);
  }

  await start();
  return {
    port,
    start,
    crash: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      process.off('exit', kill);
    },
  };
}

async function accepts(child: ChildProcess, port: number): Promise<void> {
  while (!(await canConnect(port))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}.`);
    await delay(10);
  }
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
