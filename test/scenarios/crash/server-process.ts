import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { type ServerOptions, STORING } from './server-options.ts';

export interface ServerProcess {
  /** The agents' REST prefix. */
  readonly baseUrl: string;
  /** Resolves when the process is gone. */
  readonly gone: Promise<unknown>;
  kill(): void;
}

/** Runs a TypeScript source in plain Node, workspace packages by their sources as well. */
const RUN_SOURCE = `
  import { createServer } from 'vite';
  const conditions = ['@parley/source', 'module', 'node', 'development|production'];
  const vite = await createServer({
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, watch: null },
    ssr: { noExternal: [/^@parley\\//], resolve: { conditions } },
  });
  const [file, options] = process.argv.slice(1);
  const { main } = await vite.ssrLoadModule(file);
  await main(JSON.parse(options));`;

/** Starts a Parley server in a process of its own, which does not outlive the test. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const entry = new URL('./server-main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--input-type=module', '-e', RUN_SOURCE, entry, JSON.stringify(options)], {
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
