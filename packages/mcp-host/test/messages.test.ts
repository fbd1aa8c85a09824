import { ParleyError } from '@parley/core';
import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { MCP, start } from './started.ts';
import { createToolPort } from './tool-port.ts';

const post = async (body: unknown, port = createToolPort()) =>
  await ask((await start(port)).url, MCP, { body: typeof body === 'string' ? body : JSON.stringify(body) });
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });

describe('an id', () => {
  it('of more than 10,000 characters is invalid, because each answer repeats it', async () => {
    const { status, json } = await post(ping('a'.repeat(10_001)));
    expect([status, json.id, json.error.code]).toEqual([400, null, -32600]);
    expect((await post(ping('a'.repeat(10_000)))).json.result).toEqual({});
  });

  it.each([{}, [], true, false, 2 ** 53])('%j is invalid', async (id) => {
    const { status, json } = await post(ping(id));
    expect([status, json.id, json.error.code]).toEqual([400, null, -32600]);
  });
});

describe('a body', () => {
  it.each(['', ' ', 'x', '{', '{"a":1,}', '['.repeat(100_000), '{"__proto__":1,}'])(
    '%.40s is refused as invalid JSON',
    async (body) => {
      const { status, json } = await post(body);
      expect([status, json.id, json.error.code, json.error.data.error]).toEqual([400, null, -32700, 'INVALID_JSON']);
    },
  );

  it.each([
    [1, null],
    ['"text"', null],
    [null, null],
    [{}, null],
    [{ jsonrpc: '2.0' }, null],
    [{ id: 7, method: 'ping' }, 7],
    [{ jsonrpc: '1.0', id: 7, method: 'ping' }, 7],
    [{ jsonrpc: '2.0', id: 7 }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 1 }, 7],
    [{ jsonrpc: '2.0', id: 7, method: 'ping', params: 'x' }, 7],
    [{ jsonrpc: '2.0', method: 'ping', params: 5 }, null],
    [{ method: 'ping' }, null],
  ])('%j is no request', async (body, id) => {
    const { status, json } = await post(body);
    expect([status, json.id, json.error.code]).toEqual([400, id, -32600]);
  });

  it('may omit params or set it to null', async () => {
    expect((await post({ ...ping(1), params: null })).json.result).toEqual({});
    expect((await post({ ...ping(1), params: [] })).json.result).toEqual({});
  });

  it('of more than 200,000 characters is a 413 that any client reads', async () => {
    for (const body of [`"${'a'.repeat(199_999)}"`, `"${'a'.repeat(5_000_000)}"`]) {
      const { status, json } = await post(body);
      expect([status, json.id, json.error.code, json.error.data.error]).toEqual([413, null, -32600, 'BODY_TOO_LARGE']);
    }
    const room = 200_000 - JSON.stringify({ ...ping(1), params: { fill: '' } }).length;
    expect((await post({ ...ping(1), params: { fill: '€'.repeat(room) } })).json.result).toEqual({});
    expect((await post({ ...ping(1), params: { fill: '€'.repeat(room + 1) } })).status).toBe(413);
  });
});

describe('a notification', () => {
  it.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'no/such/method', params: [] },
    { jsonrpc: '2.0', id: 7, result: {} },
    { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x' } },
  ])('such as %j is accepted without a word', async (message) => {
    const { status, text, headers } = await post(message);
    expect([status, text, headers['content-length'], headers['content-type']]).toEqual([202, '', '0', undefined]);
  });

  const call = (name = 'echo', id?: number) => ({
    ...{ jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: { a: name } } },
    ...(id === undefined ? {} : { id }),
  });

  it('that calls a tool is executed without waiting, and accepted with an empty answer', async () => {
    const port = createToolPort();
    const { status, text } = await post(call(), port);
    expect([status, text]).toEqual([202, '']);
    expect(port.seen.slice(1)).toEqual([['call', { name: 'echo', input: { a: 'echo' }, maxWaitSeconds: 0 }]]);
  });

  it('that calls a tool is executed at its position in a batch, and has no answer there', async () => {
    const port = createToolPort();
    const { status, json } = await post([call('echo', 1), call(), call('nope'), ping(2)], port);
    expect([status, json.map(({ id }: { id: unknown }) => id)]).toEqual([200, [1, 2]]);
    expect(port.seen.filter(([step]) => step === 'call')).toHaveLength(2);
    expect((await post([call(), call()])).status).toBe(202);
  });

  it.each(['NOT_YOUR_TURN', 'INVALID_INPUT', 'INSUFFICIENT_SCOPE'] as const)(
    'that calls a tool and is refused with %s is accepted too',
    async (code) => {
      const { status, text } = await post(call(), createToolPort({ call: new ParleyError(code, 'Why.') }));
      expect([status, text]).toEqual([202, '']);
    },
  );

  it.each([
    ['TOKEN_REVOKED', 401, -32001],
    ['MODERATOR_STOPPED', 403, -32001],
    ['STORAGE_UNAVAILABLE', 503, -32603],
    ['INTERNAL', 500, -32603],
  ] as const)('that calls a tool is told of %s by its status', async (code, expected, number) => {
    const port = createToolPort({ call: new ParleyError(code, 'Why.', { trace_id: 'x' }) });
    const { status, json } = await post(call(), port);
    expect([status, json.id, json.error.code]).toEqual([expected, null, number]);
    expect((await post([ping(1), call(), ping(2)], port)).json).toHaveLength(2);
  });

  it('that calls no tool of this token is accepted and runs nothing', async () => {
    const port = createToolPort();
    expect((await post(call('nope'), port)).status).toBe(202);
    expect(port.seen.map(([step]) => step)).toEqual(['admit', 'confirm']);
  });
});

describe('a method', () => {
  it.each(['toString', '__proto__', '', 'PING'])(
    'such as %j that is not supported gets -32601 with status 200 and its id',
    async (method) => {
      const { status, json } = await post({ jsonrpc: '2.0', id: 'probe-1', method });
      expect([status, json.id, json.error.code]).toEqual([200, 'probe-1', -32601]);
    },
  );

  it('initialize without params names the service, and says in numbered steps how to work', async () => {
    const { json } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize' });
    expect(json.result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'parley', version: '1.2.3', title: 'Parley', description: expect.any(String) },
      instructions: expect.stringMatching(/1\. .*\n2\. .*\n3\. .*\n4\. .*\n5\. /),
    });
  });
});

describe('tools/call', () => {
  const call = (params: unknown, port = createToolPort()) =>
    post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params }, port);

  it.each([{ name: 'nope' }, { name: '' }, { name: 5 }, { name: '__proto__' }, {}, null, [], ['echo']])(
    'of %j names no tool',
    async (params) => {
      const { status, json } = await call(params);
      expect([status, json.id, json.error.code]).toEqual([200, 3, -32602]);
    },
  );

  it('that fails is a result with the error body, twice', async () => {
    const { ParleyError } = await import('@parley/core');
    const refusal = new ParleyError('NOT_YOUR_TURN', 'It is the turn of agent_b.', {
      next_agent: 'agent_b',
      turn_index: 3,
    });
    const { status, json } = await call({ name: 'echo' }, createToolPort({ call: refusal }));
    const body = {
      next_agent: 'agent_b',
      turn_index: 3,
      ok: false,
      error: 'NOT_YOUR_TURN',
      message: 'It is the turn of agent_b.',
      hint: 'Call wait_for_my_turn (over REST GET state with wait=25) until next_agent is you, then post the turn again.',
    };
    expect([status, json.result.isError, json.result.structuredContent]).toEqual([200, true, body]);
    expect(JSON.parse(json.result.content[0].text)).toEqual(body);
  });
});
