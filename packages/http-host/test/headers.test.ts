import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const PREFIX = '/api/public/agent';

describe('every answer', () => {
  it.each([
    [200, `${PREFIX}/open`, '{}'],
    [401, `${PREFIX}/closed`, '{}'],
    [413, `${PREFIX}/open`, 'a'.repeat(200_001)],
    [404, '/.well-known/oauth-protected-resource', undefined],
    [404, '/register', '{}'],
  ])('of %i is JSON, open to every origin, and kept by nobody', async (status, path, body) => {
    const { url } = await start(createEchoPort());
    const heard = await ask(url, path, { headers: { Origin: 'https://elsewhere.example' }, ...(body ? { body } : {}) });
    expect(heard.status).toBe(status);
    expect(heard.json.error === undefined || heard.json.ok === false).toBe(true);
    expect(heard.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(heard.text)),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    expect(heard.headers['access-control-expose-headers']).toContain('Retry-After, WWW-Authenticate');
    expect(heard.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(heard.headers).not.toHaveProperty('set-cookie');
  });

  it('carries the headers of the core', async () => {
    const { url } = await start(createEchoPort());
    expect((await ask(url, `${PREFIX}/closed`)).headers['x-refused']).toBe('UNAUTHORIZED');
  });

  it('has a request id: the sent trace id, otherwise a new id', async () => {
    const { url } = await start(createEchoPort());
    const idOf = async (headers = {}) => (await ask(url, `${PREFIX}/x`, { headers })).headers['x-request-id'];
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect(await idOf({ traceparent: `00-${trace}-00f067aa0ba902b7-01` })).toBe(trace);
    const [first, second] = [await idOf({ traceparent: 'prt_secret' }), await idOf()];
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });
});

describe('OPTIONS', () => {
  it.each([`${PREFIX}/sessions/x/turns`, PREFIX, `${PREFIX}/nowhere`, '/.well-known/x'])(
    'of %s answers 204 for every origin without a call of core',
    async (path) => {
      const parley = createEchoPort();
      const { url } = await start(parley);
      const heard = await ask(url, path, { method: 'OPTIONS' });
      expect([heard.status, heard.text, parley.seen.length]).toEqual([204, '', 0]);
      expect(heard.headers['access-control-allow-origin']).toBe('*');
      expect(heard.headers['access-control-allow-headers']).toBe(
        'Authorization, Content-Type, Accept, Idempotency-Key, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, traceparent',
      );
    },
  );

  it('allows GET and POST below the prefix', async () => {
    const { url } = await start(createEchoPort());
    const { headers } = await ask(url, `${PREFIX}/x`, { method: 'OPTIONS' });
    expect([headers.allow, headers['access-control-allow-methods']]).toEqual([
      'GET, POST, OPTIONS',
      'GET, POST, OPTIONS',
    ]);
  });
});

describe('request headers', () => {
  it('are passed to core as separate values if they are repeated', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(
      `POST ${PREFIX}/x HTTP/1.1`,
      ...['Host: a', 'Authorization: Bearer prt_one', 'authorization: Bearer prt_two'],
      ...['Idempotency-Key: "a, b"', 'Idempotency-Key: c', 'Content-Length: 0', '', ''],
    );
    const heard = JSON.parse((await wire.until(/\}$/)).split('\r\n\r\n')[1] ?? '');
    expect(heard.authorization).toEqual(['Bearer prt_one', 'Bearer prt_two']);
    expect(heard.idempotencyKeys).toEqual(['"a, b"', 'c']);
  });

  it('above 16 KB are refused with 431', async () => {
    const { port } = await start(createEchoPort());
    const wire = await openWire(port);
    wire.write(`GET ${PREFIX}/x HTTP/1.1`, 'Host: a', `X-Long: ${'a'.repeat(17_000)}`, '', '');
    expect(await wire.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 431 /);
  });
});
