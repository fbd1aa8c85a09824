import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Where the child finds its data. */
export type DataPlace = { readonly folder: string } | { readonly databaseUrl: string };

export interface ServerProcess {
  /** The agents' REST prefix. */
  readonly baseUrl: string;
  /** Ends it as a power cut would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Runs a TypeScript source in plain Node, workspace packages by their sources. */
const RUN_SOURCE = `
  import { runnerImport } from 'vite';
  const conditions = ['@parley/source', 'module', 'node', 'development|production'];
  const [file, place] = process.argv.slice(1);
  const { module } = await runnerImport(file, { configFile: false, logLevel: 'error', ssr: { resolve: { conditions } } });
  await module.main(JSON.parse(place));`;

/** Starts a Parley server in a process of its own. */
export async function startServer(place: DataPlace): Promise<ServerProcess> {
  const entry = new URL('./server-main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--input-type=module', '-e', RUN_SOURCE, entry, JSON.stringify(place)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const baseUrl = await firstLine(child);
  return {
    baseUrl,
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output.');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`The server ended with ${child.exitCode} before it listened.`);
}
