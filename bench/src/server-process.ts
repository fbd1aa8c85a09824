import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a server process says once it listens. */
export interface Listening {
  readonly url: string;
}

export interface ServerProcess extends Listening {
  stop(): Promise<void>;
}

/** The programs below `servers`. */
type Program = 'parley-server' | 'read-floor' | 'write-floor' | 'mcp-floor';

/** Starts a server in a process of its own; it ends with this one. */
export async function startServer(
  program: Program,
  options: Readonly<Record<string, unknown>>,
): Promise<ServerProcess> {
  const child = fork(new URL(`./servers/${program}.js`, import.meta.url), [JSON.stringify(options)], {
    execArgv: process.env.BENCH_SERVER_ARGS?.split(' ') ?? [],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const gone = once(child, 'exit');
  const [listening]: Listening[] = await Promise.race([
    once(child, 'message'),
    gone.then(([code]) => Promise.reject(new Error(`${program} ended with ${code} before it listened.`))),
  ]);
  if (!listening) throw new Error(`${program} said nothing.`);
  return {
    ...listening,
    async stop() {
      child.disconnect();
      await gone;
    },
  };
}
