import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createMemoryStorage, describeOperations } from '@parley/core';
import { createLog } from '@parley/http-host/program';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer } from '../../../../test/support/requests.ts';
import { runCli } from '../../src/cli/program.ts';
import { createMetrics } from '../../src/server/observing.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { startOn } from '../../src/server/start.ts';
import { AS_OWNER, ask, createSession, seatAgent } from '../ask.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY } from '../running-app.ts';
import { samplesNamed, samplesOf, startMeasured, valuesOf } from './measured.ts';

const { version: VERSION } = JSON.parse(readFileSync('packages/owner-app/package.json', 'utf8'));

/** Creates a session and a token for agent_a. */
async function openSeat(url: string): Promise<{ readonly id: string; readonly state: string; readonly token: string }> {
  const id = await createSession(url);
  const token = await seatAgent(url, id, 'agent_a');
  return { id, token, state: `/api/public/agent/sessions/${id}/state` };
}

describe('metrics', () => {
  test('are served on a separate port without a key, together with the health routes only', async () => {
    const { url, metricsUrl } = await startMeasured();
    expect(new URL(metricsUrl).hostname).toBe('127.0.0.1');
    const { status, headers, text } = await ask(metricsUrl, '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('# TYPE parley_operation_duration_seconds histogram\n');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds ');
    expect((await ask(metricsUrl, '/healthz')).json).toEqual({ ok: true });
    expect((await ask(metricsUrl, '/readyz')).json).toEqual({ ok: true });
    expect((await ask(metricsUrl, '/metrics', { method: 'POST' })).status).toBe(405);
    for (const path of ['/', '/owner/', '/owner/api/sessions', '/api/public/agent/health', '/metrics/'])
      expect((await ask(metricsUrl, path, { headers: AS_OWNER })).status).toBe(404);
    expect((await ask(url, '/metrics', { headers: AS_OWNER })).status).toBe(404);
  });

  test('are off unless a port is named', async () => {
    const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: KEY });
    const server = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
    onTestFinished(() => server.close());
    expect(server.metricsUrl).toBeUndefined();
  });

  test('prevent the start if their port is in use, and leave nothing open', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const settings = readSettings({ PORT: '0', PARLEY_OWNER_KEY: KEY, PARLEY_METRICS_PORT: String(port) });
    await expect(startOn(createMemoryStorage(), settings, createLog('silent', process.stderr))).rejects.toThrow(
      `metrics cannot be served at port ${port} on 127.0.0.1 (EADDRINUSE); choose another address with PARLEY_METRICS_PORT and PARLEY_METRICS_HOST`,
    );
  });

  test('count operations by name, kind, role and code, and requests by side and status', async () => {
    const { url, scrape } = await startMeasured();
    const { state, token } = await openSeat(url);
    await ask(url, state, { headers: bearer(token) });
    await ask(url, '/api/public/mcp', {
      headers: bearer(token),
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_task', arguments: {} } },
    });
    await ask(url, state.replace('state', 'turns'), { headers: bearer(token), body: { summary: 'Too early.' } });
    await ask(url, state);
    const samples = await scrape();
    const name = 'parley_operation_duration_seconds_count';
    expect(samplesNamed(samples, name)).toEqual({
      '{operation="createSession",kind="write",role="owner"}': 1,
      '{operation="invite",kind="write",role="owner"}': 1,
      '{operation="redeem_invitation",kind="write",role="builder"}': 1,
      '{operation="read_session_state",kind="read",role="builder"}': 1,
      '{operation="read_task",kind="read",role="builder"}': 1,
      '{operation="post_turn",kind="write",role="builder"}': 1,
    });
    expect(samplesNamed(samples, 'parley_operation_errors_total')).toEqual({
      '{operation="post_turn",code="SESSION_NOT_ACTIVE"}': 1,
    });
    expect(samplesNamed(samples, 'parley_errors_total')).toEqual({
      '{code="SESSION_NOT_ACTIVE"}': 1,
      '{code="UNAUTHORIZED"}': 1,
    });
    expect(samplesNamed(samples, 'parley_http_requests_total')).toEqual({
      '{side="owner",status="200"}': 2,
      '{side="rest",status="200"}': 2,
      '{side="mcp",status="200"}': 1,
      '{side="rest",status="409"}': 1,
      '{side="rest",status="401"}': 1,
    });
  });

  test('show a held poll while it is held, and how long its wake took', async () => {
    const { url, scrape } = await startMeasured();
    const { id, state, token } = await openSeat(url);
    const waiting = bearer(await seatAgent(url, id, 'agent_b'));
    await ask(url, `/owner/api/sessions/${id}/start`, { headers: AS_OWNER, body: {} });
    const held = ask(url, `${state}?wait=20`, { headers: waiting });
    await expect.poll(async () => (await scrape()).get('parley_held_polls')).toBe(1);
    await ask(url, state.replace('state', 'turns'), { headers: bearer(token), body: { summary: 'Yours.' } });
    expect((await held).json).toMatchObject({ your_turn: true });
    const samples = await scrape();
    expect(samples.get('parley_held_polls')).toBe(0);
    expect(samples.get('parley_wake_duration_seconds_count')).toBe(1);
    expect(samples.get('parley_wake_duration_seconds_bucket{le="1"}')).toBe(1);
  });

  test('count calls of the storage and caches, and reached limits', async () => {
    const { url, scrape } = await startMeasured({ PARLEY_RATE_TOKEN: '2' });
    const { state, token } = await openSeat(url);
    for (let n = 0; n < 3; n += 1) await ask(url, state, { headers: bearer(token) });
    const samples = await scrape();
    expect(samplesNamed(samples, 'parley_rate_refusals_total')).toEqual({ '{window="token"}': 1 });
    expect(samples.get('parley_storage_duration_seconds_count{call="append",outcome="ok"}')).toBe(2);
    expect(samples.get('parley_cache_entries{cache="sessions"}')).toBe(1);
    expect(samples.get('parley_cache_limit_bytes{cache="sessions"}')).toBe(83_886_080);
    expect(samples.get('parley_cache_bytes{cache="sessions"}')).toBeGreaterThan(4_000);
    expect(samples.get('parley_cache_reads_total{cache="answers",result="hit"}')).toBe(1);
    expect(samplesNamed(samples, 'parley_build_info')).toEqual({ [`{version="${VERSION}"}`]: 1 });
  });

  test('contain no token, session or text, and only operations of the registry', async () => {
    const { url, metricsUrl, scrape } = await startMeasured();
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    expect(await runCli(['demo', '--moderator'], terminal)).toBe(0);
    const { id, state, token } = await openSeat(url);
    for (const path of [`/owner/api/sessions/${token}`, `/owner/api/sessions/${id}/${token}`, `/${token}?x=${token}`])
      await ask(url, path, { headers: AS_OWNER });
    for (const name of [token, 'no_such_tool'])
      await ask(url, `/api/public/mcp/${token}`, {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { secret: token } } },
      });
    await ask(url, `${state}/${token}?wait=${token}`, { headers: bearer(token) });
    const { json } = await ask(url, '/owner/api/sessions', { headers: AS_OWNER });
    const { text } = await ask(metricsUrl, '/metrics');
    expect(json.sessions).toHaveLength(2);
    for (const { session_id, title } of json.sessions) {
      expect(text.includes(session_id)).toBe(false);
      expect(text.includes(title)).toBe(false);
    }
    for (const secret of [token.slice(4, 26), token.slice(26, 48), 'prt_', 'pinv_', 'pok_'])
      expect(text.includes(secret)).toBe(false);

    const samples = await scrape();
    const { agents, owner } = describeOperations();
    const known = new Set([...agents, ...owner].map(({ name }) => name));
    const beside = [
      'createSession',
      'deleteSession',
      'listSessions',
      'overview',
      'setModeratorEntitlement',
      'verifyLog',
    ];
    const unknown = valuesOf(samples, 'operation').filter((name) => !known.has(name) && !beside.includes(name));
    expect(unknown).toEqual([]);
    expect(valuesOf(samples, 'operation').length).toBeGreaterThan(40);
    expect(valuesOf(samples, 'role')).toEqual(['builder', 'moderator', 'owner', 'unknown']);
    expect(valuesOf(samples, 'side')).toEqual(['mcp', 'other', 'owner', 'rest']);
    expect(valuesOf(samples, 'code').filter((code) => !/^[A-Z_]{4,30}$/.test(code))).toEqual([]);
    expect(valuesOf(samples, 'status').filter((status) => !/^[2-5]\d\d$/.test(status))).toEqual([]);
    expect(valuesOf(samples, 'kind')).toEqual(['read', 'wait', 'write']);
  });

  test('count the groups that a storage reports', async () => {
    const { onGroup, text } = createMetrics({ ofProcess: false });
    for (const size of [1, 1, 3]) onGroup('append', size);
    const samples = samplesOf(await text());
    expect(samples.get('parley_group_size_count{call="append"}')).toBe(3);
    expect(samples.get('parley_group_size_sum{call="append"}')).toBe(5);
    expect(samples.get('parley_group_size_bucket{le="2",call="append"}')).toBe(2);
  });

  test('count the outcomes of snapshots', async () => {
    const { observer, text } = createMetrics({ ofProcess: false });
    for (const outcome of ['saved', 'saved', 'used'] as const) observer.snapshotEnded?.(outcome);
    expect(samplesNamed(samplesOf(await text()), 'parley_snapshots_total')).toEqual({
      '{outcome="saved"}': 2,
      '{outcome="used"}': 1,
    });
  });

  test('count each retry of an append by its reason', async () => {
    const { observer, text } = createMetrics({ ofProcess: false });
    observer.raceLost?.();
    observer.storageCalled?.({ call: 'append', outcome: 'refused' }, 2);
    observer.storageCalled?.({ call: 'append', outcome: 'unknown' }, 2);
    expect(samplesNamed(samplesOf(await text()), 'parley_append_retries_total')).toEqual({
      '{reason="race_lost"}': 1,
      '{reason="outcome_unknown"}': 1,
    });
  });
});
