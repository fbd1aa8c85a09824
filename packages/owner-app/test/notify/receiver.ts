import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when this many requests have arrived since the start. */
  until(count: number): Promise<void>;
}

/** Answers a request. Default: 204 without a body. */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

const takeIn: Answer = (response) => void response.writeHead(204).end();

/** Starts an HTTP server that records the owner's notices. It is closed when the test ends. */
export async function startReceiver(answer: Answer = takeIn): Promise<Receiver> {
  const received: Received[] = [];
  let look = (): void => undefined;
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const one = { method, url, headers, body: await text(request) };
    received.push(one);
    answer(response, one, received.length - 1);
    look();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/hooks/parley`,
    received,
    until: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (received.length >= count) resolve();
        };
        look();
      }),
  };
}

/** Answers the first requests with these statuses, one for each request. Answers later requests with 204. */
export const answering =
  (...statuses: readonly number[]): Answer =>
  (response, _request, index) =>
    void response.writeHead(statuses[index] ?? 204).end();
