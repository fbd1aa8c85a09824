import { createServer, type ServerResponse } from 'node:http';
import { answerParent, options, tellParent, urlOf } from './tell-parent.ts';
import { watchProcess } from './watch-process.ts';

const body = JSON.stringify({ state: 'x'.repeat(Number(options.answerBytes)) });
const held = new Map<string, ServerResponse[]>();

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const waiting = held.get(path) ?? [];
  if (request.method === 'GET') {
    held.set(path, [...waiting, response]);
    return;
  }
  request.resume().on('end', () => {
    held.delete(path);
    for (const one of waiting) one.end(body);
    response.end();
  });
});
answerParent({
  ...watchProcess(),
  held: () => [...held.values()].reduce((sum, waiting) => sum + waiting.length, 0),
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => tellParent(urlOf(server.address())));
