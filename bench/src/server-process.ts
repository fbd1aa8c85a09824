import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The message that a server process sends once it listens. */
export interface Listening {
  readonly url: string;
}

/** A question to the server process; its answer has the same id. */
export interface Question {
  readonly id: number;
  readonly question: string;
}

export interface Answer {
  readonly id: number;
  readonly value: number;
}

export interface ServerProcess extends Listening {
  /** Asks the server for a figure about itself. */
  ask(question: string): Promise<number>;
  stop(): Promise<void>;
}

/** The programs in `servers/`. */
type Program = 'parley-server' | 'floor-server' | 'mcp-peer' | 'split-mcp-peer' | 'a2a-peer' | 'polls-floor';

/** Starts a server in a separate process. The server ends with this process. */
export async function startServer(
  program: Program,
  options: Readonly<Record<string, unknown>>,
): Promise<ServerProcess> {
  const child = fork(new URL(`./servers/${program}.js`, import.meta.url), [JSON.stringify(options)], {
    execArgv: ['--expose-gc', ...(process.env.BENCH_SERVER_ARGS?.split(' ') ?? [])],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const gone = once(child, 'exit');
  const [listening]: Listening[] = await Promise.race([
    once(child, 'message'),
    gone.then(([code]) => Promise.reject(new Error(`${program} ended with ${code} before it listened.`))),
  ]);
  if (!listening) throw new Error(`${program} said nothing.`);

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
        questions += 1;
        asked.set(questions, resolve);
        child.send({ id: questions, question } satisfies Question);
        gone.then(([code]) => reject(new Error(`${program} ended with ${code}.`)), reject);
      }),
    async stop() {
      child.disconnect();
      await gone;
    },
  };
}
