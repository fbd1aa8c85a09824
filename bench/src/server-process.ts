import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The message that a server process sends when it accepts connections. */
export interface Listening {
  readonly url: string;
}

/** A message with which the parent process asks a server process for a figure. The `Answer` to it has the same id. */
export interface Question {
  readonly id: number;
  readonly question: string;
}

export interface Answer {
  readonly id: number;
  readonly value: number;
}

export interface ServerProcess extends Listening {
  /** Asks the server for a figure about itself, such as `memory`. Rejects if the process has ended. */
  ask(question: string): Promise<number>;
  /** Ends the process, by SIGKILL if it does not end by itself. Does nothing if the process has ended already. */
  stop(): Promise<void>;
}

/** The programs in the folder `servers/`, by file name. */
type Program =
  | 'parley-server'
  | 'floor-server'
  | 'polls-floor'
  | 'a2a-peer'
  | 'dbos-peer'
  | 'durable-streams-peer'
  | 'emmett-peer'
  | 'graphile-worker-peer'
  | 'mcp-peer'
  | 'nchan-peer'
  | 'split-mcp-peer';

export type StartServer = (program: Program, options: Readonly<Record<string, unknown>>) => Promise<ServerProcess>;

/**
 * Milliseconds after which a server process that does not end by itself is killed. Ending usually takes a few
 * milliseconds.
 */
const PATIENCE_MS = 10_000;

/** Starts a server in its own process, which ends when this process ends. */
export const startServer: StartServer = async (program, options) => {
  const child = fork(new URL(`./servers/${program}.js`, import.meta.url), [JSON.stringify(options)], {
    execArgv: ['--expose-gc', ...(process.env.BENCH_SERVER_ARGS?.split(' ') ?? [])],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const gone = once(child, 'exit').then(([code, signal]) => `${program} ended with ${code ?? signal}`);
  const [listening]: Listening[] = await Promise.race([
    once(child, 'message'),
    gone.then((how) => Promise.reject(new Error(`${how} before it listened.`))),
  ]);
  if (!listening) throw new Error(`${program} sent no message.`);

  const asked = new Map<number, (value: number) => void>();
  let questions = 0;
  child.on('message', ({ id, value }: Answer) => {
    asked.get(id)?.(value);
    asked.delete(id);
  });
  return {
    ...listening,
    ask: (question) =>
      new Promise((resolve, reject) => {
        gone.then((how) => reject(new Error(`${how}.`)), reject);
        if (!child.connected) return;
        questions += 1;
        asked.set(questions, resolve);
        child.send({ id: questions, question } satisfies Question, (error) => error && reject(error));
      }),
    async stop() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await gone;
      clearTimeout(timer);
    },
  };
};
