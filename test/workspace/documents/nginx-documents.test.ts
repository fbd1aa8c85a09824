import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRunNginx, type RunningNginx, runNginx } from '../support/nginx-program.ts';
import { blocksOf, readNginx, saidBy } from '../support/nginx-settings.ts';
import { type RunningService, runService } from '../support/running-service.ts';

const text = readFileSync('deploy/nginx.conf', 'utf8');
const directives = readNginx(text);
const [http] = blocksOf(directives, 'http');
const [, site] = blocksOf(directives, 'server');
const location = (path: string) => blocksOf(directives, 'location').find(({ words }) => words.join(' ') === path);

describe('deploy/nginx.conf', () => {
  test('waits longer than a poll is held and a live page is silent', () => {
    expect(saidBy(http, 'proxy_read_timeout')).toBe('60s');
  });

  test('closes idle connections before Parley does', () => {
    expect(saidBy(blocksOf(directives, 'upstream')[0], 'keepalive_timeout')).toBe('60s');
    expect([saidBy(http, 'proxy_http_version'), saidBy(http, 'proxy_set_header')]).toEqual(['1.1', 'Connection ']);
  });

  test('leaves it to Parley to refuse a body', () => {
    expect(saidBy(http, 'client_max_body_size')).toBe('2m');
  });

  test('replaces what a client says of its address', () => {
    const headers = http?.block?.filter(({ name }) => name === 'proxy_set_header').map(({ words }) => words.join(' '));
    expect(headers).toEqual(['Connection ', 'Host $http_host', 'X-Forwarded-For $remote_addr']);
    // A header in a location would replace all three headers of the server.
    for (const block of [...blocksOf(directives, 'location'), site])
      expect(saidBy(block, 'proxy_set_header')).toBe(undefined);
  });

  test('sends no POST twice', () => {
    expect(saidBy(http, 'proxy_next_upstream')).toBe('error timeout http_503');
  });

  test('streams the events of a session', () => {
    expect(saidBy(location('~ ^/owner/api/sessions/[^/]+/events$'), 'proxy_buffering')).toBe('off');
  });

  test('writes no path with a token, and no query', () => {
    expect(saidBy(location('~ ^/api/public/mcp/.'), 'error_log')).toBe('/dev/null');
    const format = saidBy(http, 'log_format') ?? '';
    expect(format).toContain('$logged_path');
    expect(format).not.toMatch(/\$(?:request|request_uri|uri|args|http_\w+)\b/);
  });

  test('speaks TLS of today, and sends what is plain there', () => {
    expect(saidBy(site, 'ssl_protocols')).toBe('TLSv1.2 TLSv1.3');
    expect(saidBy(blocksOf(directives, 'server')[0], 'return')).toBe('301 https://$host$request_uri');
  });

  test('keeps the probes inside', () => {
    expect([saidBy(location('= /healthz'), 'return'), saidBy(location('= /readyz'), 'return')]).toEqual(['404', '404']);
  });
});

describe.skipIf(!canRunNginx())('nginx with deploy/nginx.conf', () => {
  let service: RunningService;
  let nginx: RunningNginx;
  let token: string;

  beforeAll(async () => {
    service = await runService();
    token = await service.tokenOf('agent_a');
    nginx = await runNginx(text, [new URL(service.url).host]);
  });

  afterAll(async () => {
    await nginx.stop();
    nginx.remove();
  });

  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_task' } });
  const authorization = () => ({ authorization: `Bearer ${token}` });

  test('brings agents to their task, by header and by path', async () => {
    const byHeader = await nginx.ask('/api/public/mcp', { body: call, headers: authorization() });
    const byPath = await nginx.ask(`/api/public/mcp/${token}`, { body: call });
    expect(byHeader.status).toBe(200);
    expect(JSON.parse(byPath.body)).toMatchObject({ result: { structuredContent: { title: 'Refunds' } } });
    expect(byPath.body).toBe(byHeader.body);
  });

  test('passes an invalid body to Parley, which refuses it', async () => {
    const body = JSON.stringify({ summary: 'x'.repeat(300_000) });
    const path = `/api/public/agent/sessions/${service.sessionId}/turns`;
    const { status, body: answer } = await nginx.ask(path, { body, headers: authorization() });
    expect(status).toBe(413);
    expect(JSON.parse(answer)).toMatchObject({ ok: false, error: 'BODY_TOO_LARGE' });
  });

  test('passes an event on while the page stays open', async () => {
    const path = `/owner/api/sessions/${service.sessionId}/events`;
    const start = await nginx.firstBytes(path, { authorization: `Bearer ${service.ownerKey}` }, '"session.started"');
    expect(start).toContain('id: 1\n');
  });

  test('shows the console, and no probe', async () => {
    expect((await nginx.ask('/owner/')).status).toBe(200);
    expect((await nginx.ask('/readyz')).status).toBe(404);
  });

  test('logs no token, also where Parley does not answer', async () => {
    await nginx.ask(`//api/public/mcp/${token}?key=${token}`, { body: call });
    await nginx.ask(`/api/public/agent/sessions/${service.sessionId}/state?token=${token}`, {
      headers: authorization(),
    });
    await service.close();
    expect((await nginx.ask(`/api/public/mcp/${token}`, { body: call })).status).toBe(502);
    await nginx.stop();
    expect(nginx.logs()).toContain('"path":"/api/public/mcp/:token","status":502');
    expect(nginx.logs()).not.toContain(token.slice(4));
  });
});
