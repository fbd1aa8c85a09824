import { serve } from '@parley/http-host';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createMcpHost } from '../src/index.ts';
import { MCP, start } from './started.ts';
import { createToolPort } from './tool-port.ts';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const TOKEN = 'prt_8fK2mQ0zR4tYw6Lp1XcV9b';

describe('a method other than POST', () => {
  const paths = [MCP, `${MCP}/`, `${MCP}/${TOKEN}`, `${MCP}/.well-known/openid-configuration`, `${MCP}/a/b?c`];
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    '%s gets 405 and is counted, and no token is looked up',
    async (method) => {
      const port = createToolPort();
      const { url } = await start(port);
      for (const path of paths) {
        const heard = await ask(url, path, { method });
        expect([heard.status, heard.headers.allow]).toEqual([405, 'POST, OPTIONS']);
        expect(heard.headers['content-type']).toBe('application/json; charset=utf-8');
        if (method !== 'HEAD') expect(heard.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
        expect(heard.text).not.toContain(TOKEN);
      }
      expect(port.seen).toEqual([
        ['count', { authorization: [], pathToken: undefined, address: '127.0.0.1' }],
        ['count', { authorization: [], pathToken: undefined, address: '127.0.0.1' }],
        ['count', { authorization: [], pathToken: TOKEN, address: '127.0.0.1' }],
        ['count', { authorization: [], pathToken: '.well-known/openid-configuration', address: '127.0.0.1' }],
        ['count', { authorization: [], pathToken: 'a/b', address: '127.0.0.1' }],
      ]);
    },
  );

  it('OPTIONS is 204 for every origin', async () => {
    const port = createToolPort();
    const { url } = await start(port);
    for (const path of paths) {
      const { status, text, headers } = await ask(url, path, { method: 'OPTIONS' });
      expect([status, text, headers.allow]).toEqual([204, '', 'POST, OPTIONS']);
      expect(headers['access-control-allow-headers']).toContain('Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID');
    }
    expect(port.seen).toEqual([]);
  });
});

describe('POST', () => {
  it('answers plain JSON independently of MCP headers', async () => {
    const { url } = await start(createToolPort());
    const headers = {
      Accept: 'text/event-stream',
      'Content-Type': 'text/plain',
      Origin: 'https://elsewhere.example',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Session-Id': 'x',
      'Mcp-Method': 'other',
    };
    const heard = await ask(url, MCP, { body: PING, headers });
    expect([heard.status, heard.json.result]).toEqual([200, {}]);
    expect(heard.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(heard.text.length),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
    });
    expect(heard.headers).not.toHaveProperty('mcp-session-id');
  });

  it('gives the same answers with another host name and another prefix', async () => {
    const { url } = await start(createToolPort(), { prefix: '/mcp' });
    expect((await ask(url, '/mcp', { body: PING, headers: { Host: 'alternate.example' } })).status).toBe(200);
    expect((await ask(url, MCP, { body: PING })).status).toBe(404);
  });
});

describe('the token', () => {
  const sender = async (path: string, headers = {}, options = {}) => {
    const port = createToolPort();
    const { url } = await start(port, options);
    await ask(url, path, { body: PING, headers });
    return Object(port.seen[0]?.[1]);
  };

  it('in the header is passed to core unchanged', async () => {
    const { authorization, pathToken, address } = await sender(MCP, { Authorization: 'Bearer  x' });
    expect([authorization, pathToken, address]).toEqual([['Bearer  x'], undefined, '127.0.0.1']);
    expect((await sender(`${MCP}/`)).pathToken).toBeUndefined();
  });

  it.each([TOKEN, `${TOKEN}/x`, `a/${TOKEN}`, 'prt%5F123', '%zz', '%', 'short', `${TOKEN}/`])(
    'in the path is the undecoded rest of the path: %s',
    async (segment) => {
      expect((await sender(`${MCP}/${segment}?query=1`)).pathToken).toBe(segment);
    },
  );

  it('in the path is refused like a malformed token if path tokens are off', async () => {
    const { pathToken } = await sender(`${MCP}/${TOKEN}`, {}, { pathTokens: false });
    expect(pathToken).toBeNull();
  });
});

describe('a path token', () => {
  it('is removed from the address before any other code can log it', async () => {
    const heard: string[] = [];
    const app = new Koa().use(async (ctx, next) => {
      await next();
      heard.push(
        JSON.stringify([ctx.url, ctx.originalUrl, ctx.path, ctx.href, ctx.req.url, ctx.request, ctx.response]),
      );
    });
    const log = (entry: object) => void heard.push(JSON.stringify(entry));
    app.use(createMcpHost(createToolPort(), { log }).middleware);
    const serving = await serve(app, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => serving.close());
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      await ask(serving.url, `${MCP}/${TOKEN}?token=${TOKEN}`, {
        method,
        ...(method === 'POST' ? { body: PING } : {}),
      });
    }
    await expect.poll(() => heard.length).toBe(6);
    expect(heard.join()).not.toContain(TOKEN.slice(4));
    expect(heard.join()).toContain('/api/public/mcp/:token');
  });

  it('is removed from the address that Express stores', async () => {
    const { handler } = createMcpHost(createToolPort());
    const kept: unknown[] = [];
    const serving = await serve(
      (request, response) => {
        Object.assign(request, { originalUrl: request.url });
        response.once('finish', () => kept.push(request.url, Object(request).originalUrl));
        handler(request, response, () => response.end());
      },
      { host: '127.0.0.1', port: 0 },
    );
    onTestFinished(() => serving.close());
    await ask(serving.url, `${MCP}/${TOKEN}`, { body: PING });
    expect(kept).toEqual([`${MCP}/:token`, `${MCP}/:token`]);
  });
});
