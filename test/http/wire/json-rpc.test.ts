import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, type Heard } from '../../support/exchange.ts';
import { type Joined, joinSession } from '../../support/join-session.ts';
import { callTool, MCP, rpc } from '../../support/requests.ts';
import { openService, post, type Service, startService } from '../../support/service.ts';
import { OPERATIONS } from './support/targets.ts';

let service: Service;
let joined: Joined;

beforeAll(async () => {
  service = await openService();
  joined = await joinSession(service);
});
afterAll(() => service.close());

const say = (body: string): Promise<Heard> => post(service, joined.tokens.agent_a, body);
const named = (method: string, id: unknown = 1): string => rpc(method, undefined, id);

describe('initialize', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1.0', '2025-11-25'],
    [5, '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('for %j agrees on %s, offers tools alone, and says who answers', async (protocolVersion, agreed) => {
    const { status, headers, json } = await say(
      rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: {} }),
    );
    expect([status, headers['content-type'], headers['mcp-session-id']]).toEqual([
      200,
      'application/json; charset=utf-8',
      undefined,
    ]);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: agreed,
        capabilities: { tools: { listChanged: false } },
        serverInfo: expect.objectContaining({ name: 'parley', version: expect.stringMatching(/^\d+\.\d+\.\d+/) }),
        instructions: expect.any(String),
      },
    });
  });
});

test('ping is answered with nothing in it', async () => {
  expect((await say(named('ping', 'p-1'))).json).toEqual({ jsonrpc: '2.0', id: 'p-1', result: {} });
});

describe('tools/list', () => {
  test.each(['builder', 'moderator'] as const)('of a %s holds its tools with their input schemas', async (kind) => {
    const token = kind === 'builder' ? joined.tokens.agent_a : joined.tokens.moderator;
    const { status, json } = await post(service, token, named('tools/list'));
    expect([status, Object.keys(Object(at(json, 'result')))]).toEqual([200, ['tools']]);
    const tools = at(json, 'result', 'tools');
    const names = Array.isArray(tools) ? tools.map((tool) => at(tool, 'name')) : [];
    const listed = OPERATIONS.filter((operation) => operation.kind === kind && operation.message !== null);
    expect(names).toEqual(listed.map(({ tool }) => tool));
    for (const tool of Array.isArray(tools) ? tools : []) {
      expect(tool).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: 'object' },
      });
    }
  });
});

describe('tools/call', () => {
  test('is answered with one text and the same as an object', async () => {
    const { status, json } = await say(callTool('read_session_state', {}, 7));
    const result = at(json, 'result');
    expect([status, Object.keys(Object(json)), at(json, 'id')]).toEqual([200, ['jsonrpc', 'id', 'result'], 7]);
    expect(Object.keys(Object(result)).sort()).toEqual(['content', 'isError', 'structuredContent']);
    expect(at(result, 'content')).toEqual([{ type: 'text', text: expect.any(String) }]);
    expect(JSON.parse(String(at(result, 'content', 0, 'text')))).toEqual(at(result, 'structuredContent'));
    expect(at(result, 'isError')).toBe(false);
  });

  test('takes arguments that are left out or null as none', async () => {
    const params = [
      { name: 'read_task' },
      { name: 'read_task', arguments: null },
      { name: 'read_task', arguments: {} },
    ];
    const texts = await Promise.all(params.map(async (given) => (await say(rpc('tools/call', given))).text));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('"isError":false');
  });
});

test.each([
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"nope","params":{}}',
  callTool('post_turn', { summary: '' }).replace('"id":1,', ''),
  callTool('ask_agent', { text: 'Why?' }).replace('"id":1,', ''),
  callTool('wait_for_my_turn', { wait: 25 }).replace('"id":1,', ''),
])('a request without an id that has nothing to do is accepted with 202 and no body: %s', async (body) => {
  const before = await service.storage.fetch(joined.sessionId, 100);
  const { status, text, headers } = await say(body);
  expect([status, text, headers['content-type']]).toEqual([202, '', undefined]);
  expect((await service.storage.fetch(joined.sessionId, 100))?.head).toEqual(before?.head);
});

test('a tool called without an id is run once, and answered with 202 and no body', async () => {
  const { tokens } = await joinSession(service);
  const quiet = callTool('post_turn', { summary: 'Quiet.' }).replace('"id":1,', '');
  const { status, text } = await post(service, tokens.agent_a, quiet);
  expect([status, text]).toEqual([202, '']);
  const batch = await post(service, tokens.agent_b, `[${quiet.replace('Quiet', 'Loud')},${callTool('read_messages')}]`);
  const messages = at(batch.json, 0, 'result', 'structuredContent', 'messages');
  const turns = (Array.isArray(messages) ? messages : []).filter((message) => at(message, 'kind') === 'turn.posted');
  expect(turns).toHaveLength(2);
  expect(await post(service, tokens.agent_b, quiet)).toMatchObject({ status: 202, text: '' });
  expect(await service.parley.agent(tokens.agent_a).call('read_session_state')).toMatchObject({ turn_index: 2 });
});

describe('an id', () => {
  test.each([0, -1, 1.5, 9_007_199_254_740_991, '', ' ', 'é😀', '1', null])(
    'of %j is repeated in the answer',
    async (id) => {
      expect((await say(named('ping', id))).json).toEqual({ jsonrpc: '2.0', id, result: {} });
    },
  );
});

type Row = readonly [name: string, body: string, expected: readonly [status: number, code: number, id: unknown]];

/** The second table of Spec 7, for requests with a valid token. */
const ERRORS: readonly Row[] = [
  ['no JSON', '{', [400, -32700, null]],
  ['an empty body', '', [400, -32700, null]],
  ['two values', '{} {}', [400, -32700, null]],
  ['a trailing comma', '{"jsonrpc":"2.0","id":1,"method":"ping",}', [400, -32700, 1]],
  ['a member named twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', [400, -32600, 1]],
  ['200,001 characters behind an id', named('ping', 'a').padEnd(200_001, ' '), [413, -32600, 'a']],
  ['200,001 characters', JSON.stringify('x'.repeat(199_999)), [413, -32600, null]],
  ['an unknown method', named('resources/list', 'a'), [200, -32601, 'a']],
  ['server/discover', named('server/discover', 'server-discover-probe-1'), [200, -32601, 'server-discover-probe-1']],
  ['a member of every object as a method', named('constructor', 3), [200, -32601, 3]],
  ['an unknown tool', callTool('delete_session', {}, 'b'), [200, -32602, 'b']],
  ['a call that has a route and no tool', callTool('verify_attach', {}, 'c'), [200, -32602, 'c']],
  ['a tool of the moderator', callTool('ask_agent', {}, 4), [200, -32602, 4]],
  ['an older name of the moderator', callTool('raise_finding', {}, 4), [200, -32602, 4]],
  ['an operation without a token', callTool('redeem_invitation', { code: 'pinv_x' }, 5), [200, -32602, 5]],
  ['an operation of the owner', callTool('revoke', { role: 'agent_b' }, 5), [200, -32602, 5]],
  ['a tool name in other letters', callTool('Read_Task', {}, 6), [200, -32602, 6]],
  ['no tool name', rpc('tools/call', {}, 7), [200, -32602, 7]],
  ['a JSON text that is no request', '5', [400, -32600, null]],
  ['an empty batch', '[]', [400, -32600, null]],
];

describe('the JSON-RPC error', () => {
  test.each(ERRORS)('of %s is as the table says', async (_name, body, expected) => {
    const heard = await say(body);
    expect([heard.status, at(heard.json, 'error', 'code'), at(heard.json, 'id')]).toEqual(expected);
    expect(at(heard.json, 'jsonrpc')).toBe('2.0');
    expect(at(heard.json, 'error', 'message')).toEqual(expect.any(String));
    expect(heard.json).not.toHaveProperty('result');
  });

  test('of 200,000 characters is none', async () => {
    const body = named('ping').padEnd(200_000, ' ');
    expect(await say(body)).toMatchObject({ status: 200, json: { result: {} } });
    expect((await say(`${body} `)).status).toBe(413);
  });

  test('of a method other than POST is 405, with and without a token', async () => {
    const { sessionId: _, tokens } = joined;
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [MCP, `${MCP}/${tokens.agent_a}`, `${MCP}/.well-known/x`]) {
        const heard = await service.send({ method, path, headers: { Authorization: `Bearer ${tokens.agent_a}` } });
        expect([heard.status, heard.headers.allow, at(heard.json, 'error', 'data', 'error')]).toEqual([
          405,
          'POST, OPTIONS',
          'METHOD_NOT_ALLOWED',
        ]);
        expect((await service.send({ method, path })).status).toBe(405);
      }
    }
  });
});

test('the table’s rows for tokens and limits carry the REST code and their headers', async () => {
  const other = await startService({ limits: { perToken: 1 } });
  const { tokens } = await joinSession(other);
  const unauthorized = await post(other, 'prt_x', named('ping'));
  expect([unauthorized.status, unauthorized.json]).toEqual([
    401,
    {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32001,
        message: expect.any(String),
        data: expect.objectContaining({ ok: false, error: 'UNAUTHORIZED' }),
      },
    },
  ]);
  await post(other, tokens.agent_a, named('ping'));
  const limited = await post(other, tokens.agent_a, named('ping'));
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '60']);
  expect(limited.json).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32029,
      message: expect.any(String),
      data: expect.objectContaining({ ok: false, error: 'RATE_LIMITED', retry_after_seconds: 60 }),
    },
  });
});
