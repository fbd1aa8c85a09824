import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileProgram } from '../../../../scripts/compile-program.ts';

/** The program to start. `PARLEY_PROGRAM` names another build, such as an earlier release. */
const MAIN =
  process.env.PARLEY_PROGRAM ??
  (await compileProgram(
    fileURLToPath(new URL('../../../../packages/owner-app/src/main.ts', import.meta.url)),
    'parley',
  ));

/** `parley serve` in a separate process. */
export interface OwnerServer {
  readonly url: string;
  readonly process: ChildProcess;
  log(): string;
  /** Sends a signal to the process. Resolves when the process has exited. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts `parley serve`. `openFiles` is its limit of open files, by default that of the process that runs the test. */
export async function startOwnerServer(
  environment: Readonly<Record<string, string>>,
  openFiles?: number,
): Promise<OwnerServer> {
  const plain = [process.execPath, MAIN, 'serve'];
  const [program = '', ...args] =
    openFiles === undefined ? plain : ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...plain];
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  let said = '';
  let logged = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    logged += chunk;
  });
  const LISTENING = /^parley listening on (\S+)$/m;
  while (!LISTENING.test(said)) {
    await Promise.race([once(child.stdout, 'data'), gone]);
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${logged}`);
  }
  return {
    url: LISTENING.exec(said)?.[1] ?? '',
    process: child,
    log: () => logged,
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}
