import { describe, expect, test } from 'vitest';
import { ask } from '../ask.ts';
import { runApp } from '../running-app.ts';

const JOINING =
  'If you have an invitation code (pinv_...) and no token, exchange the code: POST /api/public/agent/invitations/redeem with the body {"code":"pinv_..."}. Then send the header "Authorization: Bearer prt_..." with each call: over MCP by POST to /api/public/mcp, or over REST below /api/public/agent/sessions/{session_id}/. The first call is read_task (GET task). GET /openapi.json describes the routes. If you have neither code nor token, ask the owner for an invitation.';

describe('the owner side without a key', () => {
  test('says that it lives and is ready', async () => {
    const { url } = await runApp();
    expect(await ask(url, '/healthz')).toMatchObject({ status: 200, json: { ok: true } });
    expect(await ask(url, '/readyz')).toMatchObject({ status: 200, json: { ok: true } });
  });

  test('lives on without its storage, and is not ready', async () => {
    const { url } = await runApp({ storage: { health: () => Promise.reject(new Error('password=hunter2')) } });
    expect((await ask(url, '/healthz')).status).toBe(200);
    const { status, json } = await ask(url, '/readyz');
    expect({ status, json }).toEqual({ status: 503, json: { ok: false, reason: 'storage' } });
  });

  test('is not ready when the storage throws at once', async () => {
    const health = (): Promise<void> => {
      throw new Error('password=hunter2');
    };
    const { url } = await runApp({ storage: { health } });
    expect((await ask(url, '/readyz')).json).toEqual({ ok: false, reason: 'storage' });
  });

  test('is not ready when the storage never answers', async () => {
    const { url } = await runApp({ storage: { health: () => new Promise<void>(() => undefined) } });
    expect((await ask(url, '/readyz')).status).toBe(503);
  });

  test('is not ready while it drains', async () => {
    const { url } = await runApp({ isDraining: () => true });
    expect((await ask(url, '/readyz')).json).toEqual({ ok: false, reason: 'draining' });
  });

  test('answers 404 JSON at every other path', async () => {
    const { url } = await runApp();
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/x/y',
      '/register',
      '/nothing',
      '/owner/nothing',
    ])
      expect(await ask(url, path), path).toMatchObject({ status: 404, json: { ok: false, error: 'NOT_FOUND' } });
  });

  test('says so on a page of its own where the console was not built', async () => {
    const { url } = await runApp();
    const { headers, text } = await ask(url, '/owner/');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(text).not.toMatch(/<script|<style|<link|<img|style=|https?:|onload/);
    const browser = { headers: { Accept: 'text/html,*/*;q=0.8' } };
    expect((await ask(url, '/', browser)).headers.get('location')).toBe('/owner/');
    expect((await ask(url, '/owner')).headers.get('location')).toBe('/owner/');
  });

  test.each([undefined, '*/*', 'application/json'])('tells a program at / how an agent joins: %s', async (accept) => {
    const { url } = await runApp();
    const { status, headers, json } = await ask(url, '/', accept === undefined ? {} : { headers: { Accept: accept } });
    expect([status, headers.get('vary')]).toEqual([200, 'Accept']);
    expect(json).toEqual({ ok: true, service: 'parley', hint: JOINING });
    expect((await ask(url, '/v1/sessions')).json.hint).toBe(JOINING);
    expect((await ask(url, '/api/public/agent/register')).json.hint).toBe(JOINING);
  });

  test('serves the agents beside it', async () => {
    const { url } = await runApp();
    expect((await ask(url, '/api/public/agent/health')).json).toMatchObject({ ok: true, service: 'parley' });
    expect((await ask(url, '/api/public/mcp')).status).toBe(405);
  });
});
