import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../../scripts/servers/side-program.ts';
import { type RunningHaproxy, runHaproxy } from '../support/haproxy-program.ts';
import { type RunningService, runService } from '../support/running-service.ts';

const text = readFileSync('deploy/haproxy.cfg', 'utf8');
/** The lines of a section, without comments. */
const said = (section: string): string[] => {
  const [, body = ''] = new RegExp(`^${section}\\n((?:(?: .*)?\\n)*)`, 'm').exec(text) ?? [];
  return body.split('\n').flatMap((line) => (/^\s*(#|$)/.test(line) ? [] : [line.trim()]));
};

describe('deploy/haproxy.cfg', () => {
  test('waits longer than a poll is held, a live page is silent and a busy process needs for a check', () => {
    expect(said('defaults')).toEqual(
      expect.arrayContaining(['timeout server 60s', 'timeout client 75s', 'timeout check 5s']),
    );
  });

  test('asks each process whether it takes requests, and sends no POST twice', () => {
    expect(said('backend processes')).toEqual(
      expect.arrayContaining([
        'option httpchk GET /readyz',
        'http-check expect status 200',
        'retry-on conn-failure empty-response 503',
        'http-request disable-l7-retry unless METH_GET',
      ]),
    );
  });

  test('writes no request line and no header', () => {
    const formats = said('defaults').filter((line) => line.includes('log-format'));
    expect(formats).toHaveLength(2);
    expect(formats.join('\n')).not.toMatch(/%\[?(?:HU|HP|HQ|r\b|\{|hr|hs|req|capture)|%\+?Q?r/);
  });
});

const haproxy = findProgram('haproxy', 'REQUIRE_HAPROXY');

describe.skipIf(haproxy === null)('HAProxy with deploy/haproxy.cfg', () => {
  let service: RunningService;
  let proxy: RunningHaproxy;
  let token: string;

  beforeAll(async () => {
    service = await runService();
    token = await service.tokenOf('agent_a');
    const { host } = new URL(service.url);
    // No second process runs: port 1 refuses connections.
    proxy = await runHaproxy(haproxy ?? '', text, [host, '127.0.0.1:1']);
  });
  afterAll(() => proxy.stop());

  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_task' } });
  const authorization = () => ({ authorization: `Bearer ${token}` });

  test('brings agents to their task, by header and by path, while one process is away', async () => {
    const asked = Array.from({ length: 10 }, () =>
      proxy.ask('/api/public/mcp', { body: call, headers: authorization() }),
    );
    const answers = await Promise.all([...asked, proxy.ask(`/api/public/mcp/${token}`, { body: call })]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 200));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ result: { structuredContent: { title: 'Refunds' } } });
  });

  test('passes an invalid body to Parley, which refuses it', async () => {
    const body = JSON.stringify({ summary: 'x'.repeat(300_000) });
    const path = `/api/public/agent/sessions/${service.sessionId}/turns`;
    const { status, body: answer } = await proxy.ask(path, { body, headers: authorization() });
    expect(status).toBe(413);
    expect(JSON.parse(answer)).toMatchObject({ ok: false, error: 'BODY_TOO_LARGE' });
  });

  test('passes an event on while the page stays open', async () => {
    const path = `/owner/api/sessions/${service.sessionId}/events`;
    const start = await proxy.firstBytes(path, { authorization: `Bearer ${service.ownerKey}` }, '"session.started"');
    expect(start).toContain('id: 1\n');
  });

  test('keeps a process that answers a check after more than a second', async () => {
    const slow = createServer((request, response) => {
      setTimeout(() => response.end('ready'), request.url === '/readyz' ? 2_000 : 0);
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    onTestFinished(() => void slow.close());
    const address = slow.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const ofSlow = await runHaproxy(haproxy ?? '', text, [`127.0.0.1:${port}`, '127.0.0.1:1']);
    onTestFinished(() => ofSlow.stop());
    let checks = 0;
    slow.on('request', ({ url }) => {
      if (url === '/readyz') checks += 1;
    });
    await expect.poll(() => checks, { timeout: 60_000 }).toBeGreaterThan(2);
    expect((await ofSlow.ask('/owner/')).status).toBe(200);
  });

  test('shows the console, and no probe', async () => {
    expect((await proxy.ask('/owner/')).status).toBe(200);
    const inside = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => proxy.ask(path)));
    expect(inside.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('logs no token, also where Parley does not answer', async () => {
    await proxy.ask(`//api/public/mcp/${token}?key=${token}`, { body: call });
    await proxy.ask(`/api/public/%6dcp/%70${token.slice(1)}`, { body: call });
    await proxy.ask(`/api/public/agent/sessions/${service.sessionId}/state?token=${token}`, {
      headers: authorization(),
    });
    await service.close();
    // If the server has closed a reused connection, HAProxy does not repeat a POST but closes the client's connection.
    // `askAgain` then returns 0.
    const askAgain = () =>
      proxy.ask(`/api/public/mcp/${token}`, { body: call }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(askAgain).toBe(503);
    const logged = () =>
      proxy
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{'));
    await expect
      .poll(() => logged().map((line) => JSON.parse(line)))
      .toContainEqual(expect.objectContaining({ path: '/api/public/mcp/:token', status: 503 }));
    expect(proxy.logs()).not.toContain(token.slice(4));
  });
});
