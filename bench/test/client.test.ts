import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAnswer } from '../src/answer.ts';
import { openConnection } from '../src/connection.ts';
import { load } from '../src/load.ts';

let server: Server;
let url: string;
let connections = 0;

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const said = await text(request);
  const path = request.url ?? '';
  if (path === '/echo') response.end(JSON.stringify({ said, headers: request.headers }));
  else if (path === '/chunks') for (const part of ['{"a":', '"0\r\n\r\n"', '}', undefined]) await write(response, part);
  else if (path === '/pieces') await answerInPieces(response);
  else if (path === '/busy') response.writeHead(503).end('try again');
  else if (path === '/empty') response.writeHead(204).end();
  else if (path === '/gone') request.socket.destroy();
  else response.end('ok');
}

async function write(response: ServerResponse, part: string | undefined): Promise<void> {
  if (part === undefined) response.end();
  else await new Promise((resolve) => response.write(part, resolve));
}

/** Sends an answer in four pieces that split the head and the body. Waits for each write before the next. */
async function answerInPieces(response: ServerResponse): Promise<void> {
  const { socket } = response;
  for (const part of ['HTTP/1.1 200 OK\r\nContent-Le', 'ngth: 11\r\n\r\nsti', 'll who', 'le!!']) {
    await new Promise((resolve) => socket?.write(part, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.detachSocket(socket as NonNullable<typeof socket>);
}

async function ask(path: string, body?: string): Promise<string> {
  const connection = await openConnection(url);
  try {
    const request = { method: body === undefined ? 'GET' : 'POST', path, headers: { 'x-name': 'bench' } } as const;
    return (await connection.send(body === undefined ? request : { ...request, body })).toString();
  } finally {
    connection.close();
  }
}

describe('a connection', () => {
  test('sends headers and a body of more than ASCII whole', async () => {
    const { said, headers } = JSON.parse(await ask('/echo', '{"text":"déjà vu ✓"}'));
    expect(said).toBe('{"text":"déjà vu ✓"}');
    expect(headers).toMatchObject({ 'x-name': 'bench', 'content-type': 'application/json', 'content-length': '24' });
  });

  test('joins the chunks of an answer, also where they hold what ends one', async () => {
    expect(await ask('/chunks')).toBe('{"a":"0\r\n\r\n"}');
  });

  test('waits for an answer that comes in pieces', async () => {
    expect(await ask('/pieces')).toBe('still whole');
  });

  test('is used again for the next request', async () => {
    const connection = await openConnection(url);
    const bodies = [];
    for (const path of ['/chunks', '/ok', '/ok']) bodies.push(String(await connection.send({ method: 'GET', path })));
    connection.close();
    expect(bodies).toEqual(['{"a":"0\r\n\r\n"}', 'ok', 'ok']);
  });

  test('takes an answer without content for whole', async () => {
    expect(await ask('/empty')).toBe('');
  });

  test('takes anything but a success for an error', async () => {
    await expect(ask('/busy')).rejects.toThrow('The server answered 503: try again');
  });

  test('refuses a request when it is closed', async () => {
    const connection = await openConnection(url);
    connection.close();
    await expect(connection.send({ method: 'GET', path: '/ok' })).rejects.toThrow('The connection is closed.');
  });

  test('says that the server closed it', async () => {
    await expect(ask('/gone')).rejects.toThrow(/closed the connection|ECONNRESET/);
  });
});

describe('the bytes of an answer', () => {
  const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';

  test.each(Array.from({ length: whole.length }, (_, end) => end))('are not whole after %i', (end) => {
    expect(readAnswer(Buffer.from(whole.slice(0, end)))).toBeUndefined();
  });

  test('are whole at their end', () => {
    expect(readAnswer(Buffer.from(whole))).toEqual({ status: 200, body: Buffer.from('hello') });
  });

  test('are refused where they do not say how long they are', () => {
    expect(readAnswer(Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhel'))).toEqual(
      new Error('The answer has neither a length nor chunks.'),
    );
  });
});

/** A server at `address`. Its n-th call of `ask` returns the n-th of `processorMs`. */
const serverAt = (address: string, ...processorMs: number[]) => ({
  url: address,
  ask: async () => processorMs.shift() ?? Number.NaN,
});

describe('a load', () => {
  test('asks for each of 32 clients in turn, and counts every answer', async () => {
    connections = 0;
    const asked = Array.from({ length: 32 }, () => 0);
    const begin = performance.now();
    const figures = await load({
      servers: [serverAt(url, 1_000, 1_500)],
      seconds: 0.1,
      next(client) {
        asked[client] = (asked[client] ?? 0) + 1;
        return { method: 'GET', path: '/ok' };
      },
    });
    const elapsed = (performance.now() - begin) / 1000;
    const count = asked.reduce((sum, one) => sum + one, 0);
    expect(connections).toBe(32);
    expect(Math.min(...asked)).toBeGreaterThan(0);
    expect(figures.requests).toBeGreaterThanOrEqual(count / elapsed);
    expect(figures.requests).toBeLessThanOrEqual(count / 0.1);
    expect(figures.p95).toBeGreaterThan(0);
    expect(figures['processor time for a request']).toBeCloseTo(500_000 / count);
  });

  test('tells kinds of requests apart, and sends each to the server it names', async () => {
    let requests = 0;
    const other = createServer((_, response) => {
      requests += 1;
      response.end('ok');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const figures = await load({
      servers: [serverAt(url, 10, 20), serverAt(address, 100, 150)],
      seconds: 0,
      next: (client) => ({ method: 'GET', path: '/ok', server: client % 2, kind: client < 8 ? 'read' : 'write' }),
    });
    other.close();
    expect(Object.keys(figures).toSorted()).toEqual([
      'p95, read',
      'p95, write',
      'processor time for a request',
      'requests, read',
      'requests, write',
    ]);
    expect((figures['requests, write'] ?? 0) / (figures['requests, read'] ?? 0)).toBeCloseTo(3);
    expect(figures['processor time for a request']).toBe(1_875);
    expect(requests).toBe(16);
  });

  test('ends with the first answer that is no success', async () => {
    const busy = load({ servers: [serverAt(url)], seconds: 5, next: () => ({ method: 'GET', path: '/busy' }) });
    await expect(busy).rejects.toThrow('The server answered 503');
  });

  test('ends with a client that has no request to send, also after its first', async () => {
    let asked = 0;
    const servers = [serverAt(url)];
    const broken = load({
      servers,
      seconds: 5,
      next() {
        asked += 1;
        if (asked > 40) throw new Error('Client 8 has no session.');
        return { method: 'GET', path: '/ok' };
      },
    });
    await expect(broken).rejects.toThrow('Client 8 has no session.');
  });
});
