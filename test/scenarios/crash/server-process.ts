import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { compileProgram } from '../../../scripts/compile-program.ts';
import { type ServerOptions, STORING } from './server-options.ts';

export interface ServerProcess {
  readonly baseUrl: string;
  readonly gone: Promise<unknown>;
  kill(): void;
}

const SERVER = await compileProgram(fileURLToPath(new URL('./server-main.ts', import.meta.url)), 'crash-server');

/** Starts a Parley server in a separate process, which ends with the test. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, [SERVER, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  onTestFinished(kill);
  const baseUrl = await firstLine(child, (line) => line === STORING && kill());
  return { baseUrl, gone, kill };
}

function firstLine(child: ChildProcess, onLater: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened.`)));
    if (!child.stdout) return;
    createInterface(child.stdout).once('line', resolve).on('line', onLater);
  });
}
