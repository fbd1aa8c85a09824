import { createMemoryStorage } from '@parley/core';
import { createLog, hideSecrets, logRequest } from '@parley/http-host/program';
import { describe, expect, onTestFinished, test } from 'vitest';
import { logDestination, readableLine } from '../../src/cli/service/serve.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { startOn } from '../../src/server/start.ts';
import { ask } from '../ask.ts';
import { KEY, SESSION } from '../running-app.ts';

const memory = () => {
  const lines: string[] = [];
  return { lines, write: (line: string) => void lines.push(line) };
};

describe('the log', () => {
  test('holds no key, code, token, body or query of anything that was sent', async () => {
    const sink = memory();
    const storage = createMemoryStorage();
    const log = createLog('trace', sink);
    const server = await startOn(storage, readSettings({ PORT: '0', PARLEY_OWNER_KEY: KEY }), log);
    onTestFinished(() => server.close());
    const { url } = server;
    const owner = { authorization: `Bearer ${KEY}` };
    const post = (path: string, body: unknown, headers = {}) => ask(url, path, { method: 'POST', headers, body });

    const { session_id: id } = (await post('/owner/api/sessions', SESSION, owner)).json;
    const { code } = (await post(`/owner/api/sessions/${id}/invite`, { role: 'agent_a' }, owner)).json;
    const { token } = (await post('/api/public/agent/invitations/redeem', { code })).json;
    const { headers, json: signedIn } = await post('/owner/api/sign-in', { owner_key: KEY });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    await ask(url, '/owner/api/sessions', { headers: { cookie, 'parley-page-key': signedIn.page_key } });
    await post('/owner/api/sign-in', { owner_key: KEY.replace('k', 'x') });
    await ask(url, `/api/public/agent/sessions/${id}/task`, { headers: { authorization: `Bearer ${token}` } });
    for (const secret of [token, `%70${token.slice(1)}`, code, KEY]) {
      await post(`/api/public/mcp/${secret}`, { jsonrpc: '2.0', id: 1, method: 'ping' });
      await ask(url, `/api/public/agent/sessions/${secret}/task?token=${secret}`);
      await ask(url, `/owner/api/sessions/${secret}?key=${secret}`, { headers: owner });
      await ask(url, `/owner/${secret}`);
      await ask(url, `/${secret}?x=${secret}`);
    }
    await post(`/owner/api/sessions/${id}/start`, {}, owner);

    const text = sink.lines.join('');
    for (const secret of [KEY, code, token, cookie.split('=')[1], signedIn.page_key]) {
      const middle = String(secret).slice(8, 30);
      expect(middle.length).toBe(22);
      if (!middle.includes(id)) expect(text.split(middle)).toHaveLength(1);
    }
    expect(text).not.toContain('A buyer gets');
    expect(text).not.toContain('?');
    expect(sink.lines.filter((line) => JSON.parse(line).path === '/api/public/mcp/:token')).toHaveLength(4);
  });

  test('has one line for each request', () => {
    const sink = memory();
    const log = createLog('info', sink);
    const request = { method: 'GET', path: '/owner/api/sessions', status: 200, ms: 3, requestId: 'r1' };
    logRequest(log, request);
    logRequest(log, { ...request, status: 503 });
    logRequest(log, { ...request, path: '/healthz' });
    expect(sink.lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        request_id: 'r1',
        method: 'GET',
        path: '/owner/api/sessions',
        status: 200,
        ms: 3,
        msg: 'request',
      },
      {
        level: 'error',
        time: expect.any(String),
        request_id: 'r1',
        method: 'GET',
        path: '/owner/api/sessions',
        status: 503,
        ms: 3,
        msg: 'request',
      },
    ]);
  });

  test('hides what should never have been put into it', () => {
    const sink = memory();
    const log = createLog('info', sink);
    const cause = new Error(`refused for ${KEY}`);
    const error = Object.assign(new Error('postgres://parley:hunter2@db:5432/x failed', { cause }), {
      config: { password: 'hunter3' },
    });
    log.error(
      { err: error, token: 'prt_abc', session: { code: 'pinv_abc', headers: { authorization: 'x' } } },
      `tried prt_${'a'.repeat(60)}`,
    );
    const text = sink.lines.join('');
    for (const secret of ['hunter2', 'hunter3', KEY, 'prt_a', 'pinv_a', '"x"']) expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({
      err: { message: 'postgres://[redacted]db:5432/x failed' },
      msg: 'tried [redacted]',
    });
    expect(hideSecrets('a session prtfoo and prt_')).toBe('a session prtfoo and prt_');
  });

  test('is short and coloured for a person, whole for a machine', () => {
    const line =
      '{"level":"info","time":"2026-11-21T03:47:33.251Z","request_id":"r","method":"GET","path":"/x","status":404,"ms":2,"msg":"request"}\n';
    expect(readableLine(line)).toBe(
      '\u001b[2m03:47:33\u001b[22m \u001b[33m404\u001b[39m GET /x \u001b[2m2 ms\u001b[22m\n',
    );
    expect(readableLine('not a log line')).toBe('not a log line');
  });

  test.each([
    ['a terminal', true, false, ['failed', 'refused', 'started']],
    ['a terminal, with a chosen log level', true, true, ['done', 'moved', 'failed', 'refused', 'started']],
    ['a file', false, false, ['done', 'moved', 'failed', 'refused', 'started']],
  ])('on %s, contains these lines', (_place, isTTY, logsSuccesses, expected) => {
    const written: string[] = [];
    const stream = { isTTY, write: (line: string | Uint8Array) => written.push(String(line)) > 0 };
    const destination = logDestination(stream, logsSuccesses);
    const request = { level: 'info', time: '2026-11-21T03:47:33.251Z', method: 'GET', ms: 2, msg: 'request' };
    const lines = [
      { ...request, status: 200, path: '/done' },
      { ...request, status: 302, path: '/moved' },
      { ...request, level: 'error', status: 500, path: '/failed' },
      { ...request, status: 401, path: '/refused' },
      { level: 'info', time: request.time, msg: 'started' },
    ];
    for (const line of lines) destination.write(`${JSON.stringify(line)}\n`);
    expect(written.map((line) => /done|moved|failed|refused|started/.exec(line)?.[0])).toEqual(expected);
  });
});
