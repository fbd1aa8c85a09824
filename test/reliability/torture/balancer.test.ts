import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../scripts/servers/free-port.ts';
import { openBalancer } from './support/balancer.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

async function balance(...processes: string[]) {
  const { url, close } = await openBalancer(processes);
  onTestFinished(close);
  return (method: string) => fetch(url, { method, ...(method === 'POST' ? { body: 'a turn' } : {}) });
}

const well: RequestListener = (_request, response) => void response.end('well');

async function counting(listener: RequestListener) {
  const seen = { requests: 0 };
  const address = await serve((request, response) => {
    seen.requests += 1;
    listener(request, response);
  });
  return { seen, address };
}

test('gives what never arrived to the next process, a POST too', async () => {
  const ask = await balance(`127.0.0.1:${await freePort()}`, await serve(well));
  for (const method of ['POST', 'GET', 'POST']) expect(await (await ask(method)).text()).toBe('well');
});

test('sends no POST twice that may have arrived, and says 502', async () => {
  const broken = await counting((request) => void request.socket.destroy());
  const other = await counting((request) => void request.socket.destroy());
  const ask = await balance(broken.address, other.address);
  expect((await ask('POST')).status).toBe(502);
  expect(broken.seen.requests + other.seen.requests).toBe(1);
});

test('asks another process for what only reads, where one breaks off or restarts', async () => {
  const broken = await serve((request) => void request.socket.destroy());
  const restarting = await serve((_request, response) => void response.writeHead(503).end());
  const ask = await balance(broken, restarting, await serve(well));
  for (let n = 0; n < 3; n += 1) expect(await (await ask('GET')).text()).toBe('well');
});

test('hands a 503 on where no process says anything else, with its headers', async () => {
  const restarting = await serve((_request, response) => void response.writeHead(503, { 'retry-after': '2' }).end());
  const ask = await balance(restarting);
  const answer = await ask('POST');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
});

test('leaves a process out that has just failed', async () => {
  const broken = await counting((request) => void request.socket.destroy());
  const ask = await balance(broken.address, await serve(well));
  for (let n = 0; n < 6; n += 1) expect((await ask('GET')).status).toBe(200);
  expect(broken.seen.requests).toBe(1);
});
