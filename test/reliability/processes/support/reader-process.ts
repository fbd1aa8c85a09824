import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Json } from '@parley/missions';
import { inject } from 'vitest';
import type { Heard, Order, ReaderOptions } from '../reader/reader-options.ts';

/** A separate process that calls tools over MCP as a moderator, with the client of the official SDK. */
export interface ReaderProcess {
  call(tool: string, input?: Json): Promise<Json>;
  callAndForget(tool: string, input: Json): Promise<void>;
  kill(): Promise<void>;
}

export async function startReader(options: ReaderOptions): Promise<ReaderProcess> {
  const child = fork(inject('readerProgram'), [JSON.stringify(options)], { execArgv: [] });
  const gone = once(child, 'exit');
  const heard = async (): Promise<Json> => {
    const [message]: Heard[] = await Promise.race([
      once(child, 'message'),
      gone.then(([code]) => Promise.reject(new Error(`The reader ended with ${code}.`))),
    ]);
    return message?.answer ?? {};
  };
  const send = (order: Order): Promise<void> =>
    new Promise((resolve, reject) => child.send(order, (error) => (error ? reject(error) : resolve())));
  await heard();
  return {
    async call(tool, input = {}) {
      const answer = heard();
      await send({ tool, input });
      return await answer;
    },
    callAndForget: (tool, input) => send({ tool, input }),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
