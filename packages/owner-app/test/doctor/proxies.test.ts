import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSessionAs, seatAgent } from '../ask.ts';
import { listen } from '../listen.ts';
import { KEY, runApp } from '../running-app.ts';
import { examined } from './examined.ts';

interface Proxy {
  /** A function that may answer a request. If it returns true, the proxy does not forward the request. */
  readonly inTheWay?: (asked: IncomingMessage, answer: ServerResponse) => boolean;
  /** Name of a request header that the proxy removes before it forwards the request. */
  readonly takesIn?: string;
  /** The Host header with which the proxy forwards requests. */
  readonly saysHost?: string;
  /** Headers of the service's answers that the proxy replaces. */
  readonly puts?: Readonly<Record<string, string>>;
  /** Milliseconds that the proxy waits for the service before it answers 504. */
  readonly patience?: number;
}

/** Starts a proxy in front of a service, and returns the proxy's address. */
async function proxied(target: string, proxy: Proxy): Promise<string> {
  const server = createServer((asked, answer) => {
    if (proxy.inTheWay?.(asked, answer)) return;
    const headers: IncomingHttpHeaders = { ...asked.headers, ...(proxy.saysHost ? { host: proxy.saysHost } : {}) };
    if (proxy.takesIn) delete headers[proxy.takesIn];
    const passed = request(`${target}${asked.url}`, { method: asked.method, headers }, (served) => {
      answer.writeHead(served.statusCode ?? 500, { ...served.headers, ...proxy.puts });
      served.pipe(answer);
    });
    passed.on('error', () => answer.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway Timeout</h1>'));
    if (proxy.patience) passed.setTimeout(proxy.patience, () => passed.destroy(new Error('too slow')));
    asked.pipe(passed);
  });
  return await listen(server);
}

async function examinedBehind(proxy: Proxy) {
  const { url } = await runApp({ hostNames: [] });
  return examined({ PARLEY_PUBLIC_URL: await proxied(url, proxy), PARLEY_DATA: '/tmp' });
}

const page = (status: number) => (_asked: IncomingMessage, answer: ServerResponse) => {
  answer.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Something else</h1>');
  return true;
};

describe('a proxy in front of the service', () => {
  test('that forwards everything unchanged passes', async () => {
    const { standings } = await examinedBehind({});
    expect(standings).toMatchObject({ reachable: 'ok', caching: 'ok', authorization: 'ok', 'body size': 'ok' });
  });

  test('that answers requests itself is detected', async () => {
    const { of, standings, code } = await examinedBehind({ inTheWay: page(502) });
    expect(code).toBe(1);
    expect(of('reachable')?.found).toMatch(/^another program than Parley answers at .*: 502 with text\/html$/);
    expect(standings).not.toHaveProperty('authorization');
  });

  test('that redirects is detected', async () => {
    const { of } = await examinedBehind({
      inTheWay(asked, answer) {
        answer.writeHead(301, { location: `https://example.com${asked.url}` }).end();
        return true;
      },
    });
    expect(of('reachable')?.found).toMatch(/301, a redirect$/);
  });

  test('that does not exist is detected', async () => {
    const { of } = await examined({ PARLEY_PUBLIC_URL: 'http://127.0.0.1:1', PARLEY_DATA: '/tmp' });
    expect(of('reachable')).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining('cannot be reached from here'),
    });
  });

  test('that rewrites Host is detected', async () => {
    const { of } = await examinedBehind({ saysHost: 'upstream-1' });
    expect(of('reachable')).toMatchObject({
      standing: 'fail',
      found: expect.stringMatching(
        /reaches a server that does not know the name in the Host header: This service does not answer requests for the host name "upstream-1"\.$/,
      ),
      advice: expect.stringContaining('PARLEY_HOSTS'),
    });
  });

  test('that removes Authorization is detected', async () => {
    const { of } = await examinedBehind({ takesIn: 'authorization' });
    expect(of('authorization')).toMatchObject({
      standing: 'fail',
      found: 'the header Authorization does not reach Parley',
    });
  });

  test('with its own login is detected', async () => {
    const login = page(401);
    const { of } = await examinedBehind({
      inTheWay: (asked, answer) => asked.url?.includes('/sessions/') === true && login(asked, answer),
    });
    expect(of('authorization')?.found).toBe(
      "a request with an unknown token gets 401 with text/html instead of Parley's answer 401 UNAUTHORIZED",
    );
  });

  test('that refuses large bodies is detected', async () => {
    const tooLarge = page(413);
    const { of } = await examinedBehind({
      inTheWay: (asked, answer) => Number(asked.headers['content-length']) > 500_000 && tooLarge(asked, answer),
    });
    expect(of('body size')).toMatchObject({
      standing: 'fail',
      found: 'the proxy refuses a body of 200,000 characters (413)',
      advice: expect.stringContaining('client_max_body_size 2m'),
    });
  });

  test('that allows answers to be cached is detected', async () => {
    const changed = await examinedBehind({ puts: { 'cache-control': 'public, max-age=60' } });
    expect(changed.of('caching')?.found).toBe('the proxy changed Cache-Control to public, max-age=60');
    const cached = await examinedBehind({ puts: { age: '12' } });
    expect(cached.of('caching')?.found).toBe('a cache in front of the service answered');
  });

  test('in front of another version is detected', async () => {
    const { of } = await examinedBehind({
      inTheWay(asked, answer) {
        if (!asked.url?.endsWith('/health')) return false;
        answer.writeHead(200, { 'content-type': 'application/json' });
        answer.end(JSON.stringify({ ok: true, service: 'parley', version: '0.0.9', time: '' }));
        return true;
      },
    });
    expect(of('reachable')).toMatchObject({
      standing: 'warn',
      found: expect.stringContaining('has version 0.0.9, but this program'),
    });
  });
});

describe('a poll through the proxy', () => {
  async function polledBehind(proxy: Proxy) {
    const { url } = await runApp();
    const id = await createSessionAs(KEY, url);
    const token = await seatAgent(url, id, 'agent_b');
    const environment = { PARLEY_DATA: '/tmp', PARLEY_TOKEN: token, PARLEY_PUBLIC_URL: await proxied(url, proxy) };
    const report = await examined(environment, '--long-poll');
    expect(report.output).not.toContain(token);
    return report.of('long poll');
  }

  test('is held for its 25 seconds', async () => {
    expect(await polledBehind({})).toMatchObject({
      standing: 'ok',
      found: expect.stringMatching(/^a request waited 2[5-9]\.\d s and was answered$/),
    });
  });

  test('fails behind a proxy with a short time limit', async () => {
    expect(await polledBehind({ patience: 1_000 })).toMatchObject({
      standing: 'fail',
      found: expect.stringMatching(/^a request that should wait 25 s got 504 with text\/html after 1\.\d s$/),
      advice: expect.stringContaining('proxy_read_timeout 60s'),
    });
  });

  test('needs a token', async () => {
    const { url } = await runApp();
    const report = await examined({ PARLEY_PUBLIC_URL: url, PARLEY_DATA: '/tmp' }, '--long-poll');
    expect(report.of('long poll')).toMatchObject({ standing: 'warn', found: expect.stringContaining('PARLEY_TOKEN') });
    expect((await examined({ PARLEY_PUBLIC_URL: url, PARLEY_DATA: '/tmp' }, '--long-poll', '--strict')).code).toBe(1);
  });
});
