import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMemoryStorage } from '@parley/core';
import { createLog } from '@parley/http-host/program';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../src/server/settings/settings.ts';
import { startOn } from '../../src/server/start.ts';
import { KEY, runApp } from '../running-app.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends one request with this Host header. If `host` is undefined, sends HTTP/1.0, which requires no Host header. */
async function askAs(
  app: { readonly url: string },
  host: string | undefined,
  line = 'GET /api/public/agent/health',
): Promise<Answer> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  const head = host === undefined ? `${line} HTTP/1.0` : `${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close`;
  socket.write(`${head}\r\nauthorization: Bearer ${KEY}\r\n\r\n`);
  const [start = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(start.slice(9, 12)), body };
}

const statusAs = async (app: { readonly url: string }, host: string | undefined, line?: string): Promise<number> =>
  (await askAs(app, host, line)).status;

const HOST_NAMES = ['parley.example.com', 'agents.example.org'];

describe('an app with names of its own', () => {
  const statusesAs = async (hosts: readonly (string | undefined)[]) => {
    const app = await runApp({ hostNames: HOST_NAMES });
    return await Promise.all(hosts.map(async (host) => [host, await statusAs(app, host)]));
  };

  test('answers under its names, those of this machine and every address', async () => {
    const hosts = [
      'parley.example.com',
      'parley.example.com:8443',
      'PARLEY.Example.COM',
      'parley.example.com.',
      'agents.example.org',
      'localhost:4100',
      'relay.localhost',
      '127.0.0.1:4100',
      '[::1]:4100',
      '10.1.2.3:4100',
      '192.0.2.1',
      '[2001:db8::1]',
      '',
      undefined,
    ];
    expect(await statusesAs(hosts)).toEqual(hosts.map((host) => [host, 200]));
  });

  test('refuses every other name', async () => {
    const hosts = [
      'evil.example',
      'evil.example:4100',
      'parley.example.com.evil.example',
      'sub.parley.example.com',
      'example.com',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1.nip.io:4100',
      'parley.example.com@evil.example',
      'evil.example/parley.example.com',
      'parley.example.com:x',
      '[evil.example]',
      'a b',
      '%zz',
    ];
    expect(await statusesAs(hosts)).toEqual(hosts.map((host) => [host, 421]));
  });

  test('refuses every route under a foreign name', async () => {
    const app = await runApp({ hostNames: HOST_NAMES });
    for (const line of [
      'GET /api/public/agent/health',
      'POST /api/public/agent/invitations/redeem',
      'OPTIONS /api/public/agent/health',
      'POST /api/public/mcp',
      'GET /owner/',
      'GET /owner/api/sessions',
      'POST /owner/api/sign-in',
      'GET /',
      'GET /openapi.json',
      'GET /.well-known/x',
      'GET http://parley.example.com/owner/api/sessions',
    ])
      expect([line, await statusAs(app, 'evil.example', line)]).toEqual([line, 421]);
  });

  test('says which name it was, and how to add it', async () => {
    const app = await runApp({ hostNames: HOST_NAMES });
    expect(JSON.parse((await askAs(app, 'evil.example:4100')).body)).toEqual({
      ok: false,
      error: 'HOST_NOT_SERVED',
      message: 'This service does not answer requests for the host name "evil.example:4100".',
      hint: 'Use the address that the owner gave you: this service answers only under its own host names. The operator can add a name with PARLEY_HOSTS (--hosts).',
    });
  });

  test('logs what it refused', async () => {
    const app = await runApp({ hostNames: HOST_NAMES });
    await askAs(app, 'evil.example', 'GET /api/public/mcp/prt_0123456789abcdef?key=x');
    await expect.poll(() => app.requests).toHaveLength(1);
    expect(app.requests[0]).toMatchObject({ method: 'GET', path: '/api/public/mcp/:token', status: 421 });
  });

  test('answers probes under every name', async () => {
    const app = await runApp({ hostNames: HOST_NAMES });
    expect([
      await statusAs(app, 'evil.example', 'GET /healthz'),
      await statusAs(app, 'pod-7.cluster.local', 'GET /readyz'),
    ]).toEqual([200, 200]);
  });

  test('believes no X-Forwarded-Host', async () => {
    const app = await runApp({ hostNames: HOST_NAMES, trustedProxies: ['127.0.0.1'] });
    const line = 'GET /api/public/agent/health HTTP/1.1\r\nx-forwarded-host: parley.example.com';
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(`${line}\r\nhost: evil.example\r\nconnection: close\r\n\r\n`);
    expect((await text(socket)).slice(0, 12)).toBe('HTTP/1.1 421');
  });
});

describe('a server with settings', () => {
  const statusesOf = async (environment: Record<string, string>, hosts: readonly string[]): Promise<number[]> => {
    const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: KEY, ...environment });
    const server = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
    onTestFinished(() => server.close());
    return Promise.all(hosts.map((host) => statusAs(server, host)));
  };

  test('answers under its public name and those of a list', async () => {
    const named = { PARLEY_PUBLIC_URL: 'https://parley.example.com', PARLEY_HOSTS: 'agents.example.org' };
    const hosts = ['parley.example.com', 'agents.example.org', '127.0.0.1', 'evil.example'];
    expect(await statusesOf(named, hosts)).toEqual([200, 200, 200, 421]);
  });

  test('answers on this machine alone where nothing is set', async () => {
    expect(await statusesOf({}, ['localhost', 'evil.example'])).toEqual([200, 421]);
  });

  test('answers under every name where the setting says so', async () => {
    expect(await statusesOf({ PARLEY_HOSTS: 'any' }, ['evil.example'])).toEqual([200]);
  });

  test.each([
    [{}, [200, 200, 421, 421, 421, 200]],
    [{ PARLEY_HOSTS: 'parley-metrics.monitoring' }, [200, 200, 200, 421, 421, 200]],
    [
      { PARLEY_METRICS_HOST: 'localhost', PARLEY_PUBLIC_URL: 'https://parley.example.com' },
      [200, 200, 421, 200, 421, 200],
    ],
    [{ PARLEY_HOSTS: 'any' }, [200, 200, 200, 200, 200, 200]],
  ])('answers at the metrics port under the same names, with %j', async (environment, expected) => {
    const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: KEY, PARLEY_METRICS_PORT: '0', ...environment });
    const server = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
    onTestFinished(() => server.close());
    const metrics = { url: server.metricsUrl ?? '' };
    const hosts = [
      'localhost:9464',
      '10.1.2.3:9464',
      'parley-metrics.monitoring',
      'parley.example.com',
      'evil.example',
    ];
    const statuses = await Promise.all(hosts.map((host) => statusAs(metrics, host, 'GET /metrics')));
    expect([...statuses, await statusAs(metrics, 'evil.example', 'GET /readyz')]).toEqual(expected);
  });
});

test('an app without names of its own answers under every name', async () => {
  expect(await statusAs(await runApp(), 'evil.example')).toBe(200);
});
