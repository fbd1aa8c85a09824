import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerParent, tellParent, urlOf } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

/** Starts the HTTP server of a peer: a server of another project that a bench compares with the service. */
export function answerEach(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  answerParent(watchProcess());
  server.listen(0, '127.0.0.1', () => tellParent(urlOf(server.address())));
}
