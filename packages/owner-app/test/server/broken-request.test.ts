import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createSession } from '../ask.ts';
import { KEY, runApp } from '../running-app.ts';

const HEAD = 'POST /api/public/agent/invitations/redeem HTTP/1.1\r\nhost: x\r\n';

describe('a request that breaks after its head', () => {
  test.each([
    ['a transfer coding that is not known', 'transfer-encoding: gzip\r\n\r\n{}'],
    ['a chunk without a size', 'transfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['a body that is longer than its length', 'content-length: 2\r\n\r\n{}{}\r\n\r\n'],
  ])('is the fault of its sender and tells the operator nothing: %s', async (_, rest) => {
    const { url, errors } = await runApp();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(HEAD + rest);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(errors).toEqual([]);
  });

  test('is the same when half of its body never comes', async () => {
    const { url, errors, server } = await runApp();
    Object.assign(server, { headersTimeout: 100, requestTimeout: 100 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${HEAD}content-length: 20\r\n\r\n{`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(errors).toEqual([]);
  });
});

describe('a Host header that is no host', () => {
  test('changes no answer', async () => {
    const { url, errors } = await runApp();
    const id = await createSession(url);
    for (const host of ['', ':', 'a b', '[::1', 'x:99999999', '%zz', 'a/b?c#d', 'a?limit=x']) {
      const ask = async (path: string): Promise<string> => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        const lines = [`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: close', `authorization: Bearer ${KEY}`];
        socket.write(`${lines.join('\r\n')}\r\n\r\n`);
        return (await text(socket)).slice(0, 12);
      };
      expect(await ask('/owner/api/sessions?limit=5'), host).toBe('HTTP/1.1 200');
      expect(await ask(`/owner/api/sessions/${id}?nonsense=1`), host).toBe('HTTP/1.1 422');
      expect(await ask(`/owner/api/sessions/${id}/events?after=x`), host).toBe('HTTP/1.1 422');
      expect(await ask('/owner'), host).toMatch(/^HTTP\/1\.1 30/);
    }
    expect(errors).toEqual([]);
  });

  test('is passed over in the absolute form too', async () => {
    const { url } = await runApp();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const lines = ['GET http://[::1/owner/api/sessions?limit=5 HTTP/1.1', 'host: x', 'connection: close'];
    socket.write(`${lines.join('\r\n')}\r\nauthorization: Bearer ${KEY}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
