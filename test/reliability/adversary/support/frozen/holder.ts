import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileProgram } from '../../../../../scripts/compile-program.ts';

/** A process that uses an embedded database, in a namespace of process ids of its own, as in a container. */
export interface Holder {
  /** The lines that the process has printed so far. */
  readonly lines: readonly string[];
  hasEnded(): boolean;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
}

const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/** Whether this process can start another one in a namespace of process ids: it must run on Linux, as root. */
export function canUnshare(): boolean {
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const compileHolder = (): Promise<string> =>
  compileProgram(fileURLToPath(new URL('holder-main.ts', import.meta.url)), 'frozen-holder');

/** Compiles the program once. Returns a function that starts it. */
export async function prepareHolders(): Promise<(...args: readonly string[]) => Promise<Holder>> {
  const program = await compileHolder();
  return async (...args) => {
    const child = spawn('unshare', [...UNSHARE, process.execPath, program, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const ended = once(child, 'close');
    const pid = await insidePid(child);
    const send = (signal: NodeJS.Signals): void => {
      if (child.exitCode === null) process.kill(pid, signal);
    };
    return {
      lines,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      freeze: () => send('SIGSTOP'),
      thaw: () => send('SIGCONT'),
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
}

/** Returns the process id, outside of the namespace, of the program that `unshare` has started. */
async function insidePid({ pid }: ChildProcess): Promise<number> {
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    if (children !== '') return Number(children);
    await pause(5);
  }
}
