import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { seat } from '../../http-host/test/seated.ts';
import { MCP, start } from './started.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const call = (id: number | string, input: string, name = 'post_turn'): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`;

async function startSeated(options: Parameters<typeof seat>[0] = {}) {
  const seated = await seat(options);
  const { url } = await start(seated.parley);
  const post = (body: string, token = seated.tokenA) =>
    ask(url, MCP, { headers: { Authorization: `Bearer ${token}` }, body });
  return { ...seated, post, head: async () => (await seated.owner.view(seated.sessionId)).head };
}

describe('text that is JSON and refused all the same', () => {
  it.each([
    [
      'a lone surrogate',
      '{"summary":"x","questions":[{"text":"\\ud83d"}]}',
      'questions[0].text',
      'Holds a lone surrogate; write the whole character, or leave it out.',
    ],
    [
      'an integer beyond 2^53',
      '{"summary":"x","interfaces":[{"example":{"order_id":1234567890123456789}}]}',
      'interfaces[0].example.order_id',
      'Is a number that cannot be kept exactly; send it as a string.',
    ],
    [
      'an integer beyond 2^53 in arguments that are text themselves',
      JSON.stringify('{"summary":"x","interfaces":[{"order_id":1234567890123456789}]}'),
      'interfaces[0].order_id',
      'Is a number that cannot be kept exactly; send it as a string.',
    ],
    [
      '65 levels',
      `{"summary":${nested(64)}}`,
      `summary${'[0]'.repeat(63)}`,
      'Is nested deeper than 64 levels; nest it less deeply.',
    ],
    ['no object', '"\\ud83d"', 'input', 'Holds a lone surrogate; write the whole character, or leave it out.'],
  ])('in the arguments of a tool is a refused call that names the place: %s', async (_, input, path, message) => {
    const { post, head } = await startSeated();
    const before = await head();
    const { status, json } = await post(call('c-1', input));
    expect([status, json.id, json.result.isError]).toEqual([200, 'c-1', true]);
    expect(json.result.structuredContent).toEqual({
      ok: false,
      error: 'INVALID_INPUT',
      message: `${path}: ${message}`,
      hint: 'Correct the fields named in issues and send the call again.',
      issues: [{ path, message }],
    });
    expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
    expect(await head()).toEqual(before);
  });

  it('in the arguments is reported only if the tool exists and the scope is sufficient', async () => {
    const { post, token } = await startSeated();
    expect((await post(call(1, '{"a":1,"a":2}', 'no_tool'))).json).toMatchObject({ id: 1, error: { code: -32602 } });
    const narrow = await token('agent_b', { scopes: ['read_task'] });
    expect((await post(call(2, '{"a":1,"a":2}'), narrow)).json).toMatchObject({
      id: 2,
      result: { isError: true, structuredContent: { error: 'INSUFFICIENT_SCOPE' } },
    });
  });

  it.each([
    ['the id', '{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}', null, 'The JSON is refused: id is named twice.'],
    [
      'a name behind the arguments',
      call(1, '{"summary":"x"}').replace(/}$/, ',"__proto__":{}}'),
      1,
      'The JSON is refused: __proto__ is a member name that is not allowed.',
    ],
    [
      'the arguments and beside them',
      call(1, '{"summary":"\\ud83d"}').replace('"params":{', '"params":{"_meta":"\\u0000",'),
      1,
      'The JSON is refused: params._meta holds the character U+0000.',
    ],
    [
      'arguments that stand there twice',
      call(1, '{"a":1,"a":2}').replace('"arguments":', '"arguments":{},"arguments":'),
      1,
      'The JSON is refused: params.arguments is named twice.',
    ],
    [
      'the arguments of another method',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"arguments":{"a":1,"a":2}}}',
      1,
      'The JSON is refused: params.arguments.a is named twice.',
    ],
    [
      'an id that is a number too large',
      '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
      null,
      'The JSON is refused: id is a number that cannot be kept exactly.',
    ],
    [
      '65 levels',
      nested(65).replace('[', '{"jsonrpc":"2.0","id":1,"method":"x","params":[').replace(/]$/, ']}'),
      1,
      null,
    ],
  ])('in %s is no request', async (_, body, id, message) => {
    const { post, head } = await startSeated();
    const before = await head();
    const { status, json } = await post(body);
    expect([status, json.id, json.error.code]).toEqual([400, id, -32600]);
    if (message !== null) expect(json.error.message).toBe(message);
    expect(json.error.data).toMatchObject({
      ok: false,
      error: 'INVALID_JSON',
      hint: expect.stringContaining('Correct '),
    });
    expect(await head()).toEqual(before);
  });

  it('affects only its element of a batch', async () => {
    const { post } = await startSeated();
    const batch = [
      call(1, '{}', 'read_task'),
      call(2, '{"summary":"\\ud83d"}'),
      '{"jsonrpc":"2.0","id":3,"method":"ping","method":"ping"}',
      call(4, '{"summary":"Offsets hurt."}'),
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1,"a":2}}',
      call(5, `{"summary":${nested(64)}}`),
    ];
    const { status, json } = await post(`[${batch.join(' , ')}]`);
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { id: 1, result: { isError: false } },
      {
        id: 2,
        result: { isError: true, structuredContent: { error: 'INVALID_INPUT', issues: [{ path: 'summary' }] } },
      },
      { id: 3, error: { code: -32600, message: 'The JSON is refused: method is named twice.' } },
      { id: 4, result: { isError: false, structuredContent: { next_agent: 'agent_b' } } },
      { id: null, error: { code: -32600, message: 'The JSON is refused: params.a is named twice.' } },
      { id: 5, result: { isError: true, structuredContent: { error: 'INVALID_INPUT' } } },
    ]);
    expect(json).toHaveLength(6);
  });
});

describe('arguments', () => {
  it('may nest as deeply as the body of the same call over REST', async () => {
    const { post } = await startSeated();
    const depth = (levels: number) => post(call(1, `{"summary":"x","deep":${nested(levels - 1)}}`));
    for (const levels of [2, 61, 62, 63, 64])
      expect((await depth(levels)).json.result.structuredContent.issues).toMatchObject([
        { path: 'deep', message: expect.stringContaining('Unknown member') },
      ]);
    expect((await depth(65)).json.result.structuredContent.issues).toMatchObject([
      { message: 'Is nested deeper than 64 levels; nest it less deeply.' },
    ]);
  });
});
