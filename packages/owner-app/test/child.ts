import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { compileProgram } from '../../../scripts/compile-program.ts';

export interface Child {
  readonly process: ChildProcess;
  out(): string;
  err(): string;
  /** Resolves when stdout matches. Rejects if the process ends before that. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves to the exit code when the process has ended and all of its output was read. */
  ended: Promise<number | null>;
}

/** Path of the program `parley`, compiled into one file. */
export const MAIN = await compileProgram(fileURLToPath(new URL('../src/main.ts', import.meta.url)), 'parley');

/** Starts `parley` in a separate process that inherits no settings of this process. The process ends with the test. */
export function startCli(args: readonly string[], environment: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    process: child,
    out: () => out,
    err: () => err,
    ended,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(out);
        if (found) return found;
        const isOver = await Promise.race([ended.then(() => true), once(child.stdout, 'data').then(() => false)]);
        if (isOver && !pattern.test(out)) throw new Error(`ended with ${child.exitCode}: ${out}${err}`);
      }
    },
  };
}
