import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** One request as it came in. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when so many requests have come in, in all. */
  until(count: number): Promise<void>;
}

/** What the receiver does with a request; an answer of 204 without a body when left out. */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

const takeIn: Answer = (response) => void response.writeHead(204).end();

/** A real HTTP server for what is sent to the owner; it is gone with the test. */
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

/** Answers with these statuses, one after another, and with 204 from then on. */
export const answering =
  (...statuses: readonly number[]): Answer =>
  (response, _request, index) =>
    void response.writeHead(statuses[index] ?? 204).end();
