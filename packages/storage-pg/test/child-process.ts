import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileProgram } from '../../../scripts/compile-program.ts';

export interface Child {
  readonly process: ChildProcess;
  /** The lines that the child has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when the child has printed this many lines, or when it has ended. */
  wrote(count: number): Promise<void>;
  kill(): Promise<void>;
}

/** Compiles a program of `children/` to JavaScript that every supported version of Node can run. */
export const compileChild = (name: string): Promise<string> =>
  compileProgram(fileURLToPath(new URL(`children/${name}.ts`, import.meta.url)), name);

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
