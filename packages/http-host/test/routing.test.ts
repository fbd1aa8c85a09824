import { createServer } from 'node:http';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createHttpHost, serve } from '../src/index.ts';
import { createEchoPort } from './echo-port.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const PREFIX = '/api/public/agent';

describe('the path', () => {
  it.each([
    [PREFIX, '/'],
    [`${PREFIX}/`, '/'],
    [`${PREFIX}/sessions/s/turns`, '/sessions/s/turns'],
    [`${PREFIX}/sessions/s/turns/`, '/sessions/s/turns/'],
    [`${PREFIX}/sessions/%73/turns`, '/sessions/%73/turns'],
    [`${PREFIX}/%zz/../..//x`, '/%zz/../..//x'],
    [`${PREFIX}/.well-known/x`, '/.well-known/x'],
  ])('%s reaches the core raw', async (path, below) => {
    const { url } = await start(createEchoPort());
    expect((await ask(url, path)).json.path).toBe(below);
  });

  it('is separated from its query, which is parsed', async () => {
    const { url } = await start(createEchoPort());
    const { json } = await ask(url, `${PREFIX}/sessions/s/turns?wait=5&after=%31&wait=&bad=%zz`);
    expect(json.path).toBe('/sessions/s/turns');
    expect(json.query).toEqual([
      ['wait', '5'],
      ['after', '1'],
      ['wait', ''],
      ['bad', '%zz'],
    ]);
  });

  it.each(['/', '/api/public/agents/x', '/api/public', '/API/public/agent/x', '//api/public/agent/x'])(
    '%s is outside of the prefix',
    async (path) => {
      const parley = createEchoPort();
      const { url } = await start(parley);
      expect((await ask(url, path)).status).toBe(404);
      expect(parley.seen).toEqual([]);
    },
  );

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('is passed to core for %s', async (method) => {
    const parley = createEchoPort();
    const { url } = await start(parley);
    expect((await ask(url, `${PREFIX}/sessions/s/turns`, { method })).status).toBe(200);
    expect(parley.seen.map((request) => request.method)).toEqual([method]);
  });

  it('is the same for every host name and in the absolute form', async () => {
    const { port } = await start(createEchoPort());
    for (const target of [`${PREFIX}/x`, `http://other.example${PREFIX}/x`, `http://[::1${PREFIX}/x`]) {
      const wire = await openWire(port);
      wire.write(`GET ${target} HTTP/1.1`, 'Host: alternate.example:1', '', '');
      expect(await wire.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});

describe('embedding', () => {
  const listening = async (listener: Parameters<typeof serve>[0]) => {
    const serving = await serve(listener, { host: '127.0.0.1', port: 0, graceMs: 200 });
    onTestFinished(() => serving.close());
    return serving.url;
  };

  it('works as a plain handler and answers 404 outside of the prefix', async () => {
    const server = createServer(createHttpHost(createEchoPort()).handler).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    expect((await ask(url, `${PREFIX}/x`, { body: '{}' })).json.chars).toBe(2);
    expect((await ask(url, '/elsewhere')).json).toMatchObject({ ok: false, error: 'NOT_FOUND' });
  });

  it('calls the next handler in a chain outside of the prefix', async () => {
    const { handler } = createHttpHost(createEchoPort());
    const url = await listening((request, response) => handler(request, response, () => response.end('mine')));
    expect((await ask(url, '/elsewhere')).text).toBe('mine');
    expect((await ask(url, `${PREFIX}/x`)).json.path).toBe('/x');
  });

  it('calls the next Koa middleware outside of the prefix, and accepts another prefix', async () => {
    const { middleware, prefix } = createHttpHost(createEchoPort(), { prefix: '/agents/' });
    const app = new Koa().use(middleware).use((ctx) => {
      ctx.body = 'mine';
    });
    const url = await listening(app);
    expect(prefix).toBe('/agents');
    expect((await ask(url, `${PREFIX}/x`)).text).toBe('mine');
    expect((await ask(url, '/agents/x')).json.path).toBe('/x');
  });

  it('answers INTERNAL if core throws an unexpected error', async () => {
    const broken = { ...createEchoPort(), callRoute: () => Promise.reject(new Error('secret reason')) };
    const { url } = await start(broken);
    const heard = await ask(url, `${PREFIX}/x`, { body: '{}' });
    expect([heard.status, heard.json.error]).toEqual([500, 'INTERNAL']);
    expect(heard.headers['access-control-allow-origin']).toBe('*');
    expect(heard.text).not.toContain('secret reason');
  });
});
