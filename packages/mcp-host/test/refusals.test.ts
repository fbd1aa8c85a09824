import { type ErrorCode, ParleyError } from '@parley/core';
import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { MCP, start } from './started.ts';
import { createToolPort } from './tool-port.ts';

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'echo' } });
const PING = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' });
const WITH_RETRY = { retry_after_seconds: 4 };

const ROWS: readonly [ErrorCode, number, number, Record<string, unknown>][] = [
  ['UNAUTHORIZED', 401, -32001, {}],
  ['TOKEN_REVOKED', 401, -32001, {}],
  ['TOKEN_EXPIRED', 401, -32001, {}],
  ['MODERATOR_STOPPED', 403, -32001, {}],
  ['MODERATOR_NOT_ENTITLED', 403, -32001, {}],
  ['RATE_LIMITED', 429, -32029, WITH_RETRY],
  ['SHUTTING_DOWN', 503, -32603, WITH_RETRY],
  ['STORAGE_UNAVAILABLE', 503, -32603, WITH_RETRY],
  ['INTERNAL', 500, -32603, { trace_id: 'x' }],
];

describe('a request that is not admitted', () => {
  it.each(ROWS)('for %s is %i with %i', async (code, status, number, details) => {
    const { url } = await start(createToolPort({ admit: new ParleyError(code, 'Why.', details) }));
    const heard = await ask(url, MCP, { body: CALL });
    expect(heard.status).toBe(status);
    expect(heard.json).toMatchObject({ jsonrpc: '2.0', id: 9, error: { code: number, message: 'Why.' } });
    expect(heard.json.error.data).toMatchObject({ ok: false, error: code, message: 'Why.', ...details });
    expect(heard.headers['retry-after']).toBe('retry_after_seconds' in details ? '4' : undefined);
    const challenge = status === 401 ? 'Bearer realm="parley", error="invalid_token"' : undefined;
    expect(heard.headers['www-authenticate']).toBe(challenge);
    expect(heard.headers['access-control-allow-origin']).toBe('*');
  });

  it('is refused before its body is read', async () => {
    const { url } = await start(createToolPort({ admit: new ParleyError('UNAUTHORIZED', 'Why.') }));
    expect((await ask(url, MCP, { body: '{' })).status).toBe(401);
    expect((await ask(url, MCP, { body: 'a'.repeat(300_000) })).status).toBe(401);
  });
});

describe('a token that turns out to be gone', () => {
  it.each([
    ...['{', '5', '[]', 'a'.repeat(300_000), PING, CALL.replace('echo', 'nope'), '{"jsonrpc":"2.0","method":"x"}'],
    ...[`[${CALL}]`, `[${CALL},${CALL}]`],
  ])('is what %.60s is told first', async (body) => {
    const { url } = await start(createToolPort({ confirm: new ParleyError('TOKEN_REVOKED', 'Why.') }));
    const { status, json } = await ask(url, MCP, { body });
    const id = body.startsWith('{"jsonrpc":"2.0","id":9') ? 9 : null;
    expect([status, json.id, json.error.data.error]).toEqual([401, id, 'TOKEN_REVOKED']);
  });

  it.each([
    ['TOKEN_REVOKED', 401],
    ['TOKEN_EXPIRED', 401],
    ['MODERATOR_STOPPED', 403],
  ] as const)('in the middle of a call ends it: %s is %i', async (code, status) => {
    const { url } = await start(createToolPort({ call: new ParleyError(code, 'Why.') }));
    const heard = await ask(url, MCP, { body: CALL });
    expect([heard.status, heard.json.id, heard.json.error.code, heard.json.error.data.error]).toEqual([
      status,
      9,
      -32001,
      code,
    ]);
    expect(heard.headers['www-authenticate'] !== undefined).toBe(status === 401);
  });
});

describe('any other failure of a call', () => {
  it.each([
    'INVALID_INPUT',
    'MODERATOR_FORBIDDEN',
    'INSUFFICIENT_SCOPE',
    'SHUTTING_DOWN',
    'INTERNAL',
    'RATE_LIMITED',
  ] as const)('is a tool result at 200, such as %s', async (code) => {
    const { url } = await start(createToolPort({ call: new ParleyError(code, 'Why.') }));
    const { status, json } = await ask(url, MCP, { body: CALL });
    expect([status, json.id, json.result.isError, json.result.structuredContent.error]).toEqual([200, 9, true, code]);
  });

  it('does not check the token in the storage a second time', async () => {
    const port = createToolPort();
    await ask((await start(port)).url, MCP, { body: CALL });
    expect(port.seen.map(([step]) => step)).toEqual(['admit', 'call']);
  });
});

it.each(['prt_8fK2mQ0zR4tYw6Lp1XcV9b', 'pinv_8fK2mQ0zR4tYw6Lp1XcV9b'])(
  'a refusal does not repeat %s, sent where a name belongs',
  async (secret) => {
    const { url } = await start(createToolPort());
    const bodies = [PING.replace('ping', secret), CALL.replace('echo', secret)];
    for (const body of bodies) {
      const { text } = await ask(url, MCP, { body });
      expect(text).toContain('[secret]');
      expect(text).not.toContain(secret.slice(5));
    }
  },
);
