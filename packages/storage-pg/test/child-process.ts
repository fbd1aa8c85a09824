import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export interface Child {
  readonly process: ChildProcess;
  /** The lines that the child has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when the child has printed this many lines, or when it has ended. */
  wrote(count: number): Promise<void>;
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}node_modules/.children/`;

/** Compiles a program of `children/` to JavaScript that every supported version of Node can run. */
export async function compileChild(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(`children/${name}.ts`, import.meta.url));
  const conditions = ['@parley/source', 'module', 'node', 'production'];
  const external = ['knex', 'pg', /^@electric-sql\//];
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: entry,
      outDir: `${folder}${name}`,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { external },
    },
  });
  return `${folder}${name}/${name}.js`;
}

export function startChild(program: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  return {
    process: child,
    lines,
    async wrote(count) {
      const isOver = ended.then(() => false);
      while (lines.length < count && (await Promise.race([isOver, once(output, 'line').then(() => true)])));
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
