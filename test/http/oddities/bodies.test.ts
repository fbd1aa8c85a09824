import { afterAll, beforeAll, describe, it } from 'vitest';
import { MCP } from '../../support/requests.ts';
import { requestBytes, toolCall, turnTargets } from './support/request.ts';
import { openService, type Service } from './support/service.ts';
import { expectVerdict } from './support/verdict.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const members = (count: number): string => Array.from({ length: count }, (_, n) => `"m${n}":0`).join();
const turn = (more: string): string => `{"summary":"Offsets hurt.",${more}}`;

const BAD = ['400 INVALID_JSON', '400 -32700'] as const;
/** Answers of REST and MCP to JSON that Parley refuses for its form, such as a member twice or a lone surrogate. */
const FAULTY = ['400 INVALID_JSON', '200 INVALID_INPUT'] as const;
const REFUSED = ['422 INVALID_INPUT', '200 INVALID_INPUT'] as const;
/** Answers of REST and MCP to a valid turn, which is refused because the other agent has the turn. */
const PASSED = ['409 NOT_YOUR_TURN', '200 NOT_YOUR_TURN'] as const;

/**
 * Name, JSON text, and two expected answers: of REST to the text as the body, and of MCP to the text as the arguments
 * of `post_turn`.
 */
type Row = readonly [name: string, json: string, ...verdicts: readonly [rest: string, mcp: string]];

const KINDS: readonly Row[] = [
  ['an empty object', '{}', ...REFUSED],
  ['an array', '[]', '400 INVALID_JSON', '200 INVALID_INPUT'],
  ['a number', '5', '400 INVALID_JSON', '200 INVALID_INPUT'],
  ['a boolean', 'true', '400 INVALID_JSON', '200 INVALID_INPUT'],
  ['null', 'null', '400 INVALID_JSON', '200 INVALID_INPUT'],
  ['a text', '"x"', '400 INVALID_JSON', '200 INVALID_INPUT'],
  ['an object as text', '"{\\"summary\\":\\"x\\"}"', '400 INVALID_JSON', '200 NOT_YOUR_TURN'],
];

const SYNTAX: readonly Row[] = [
  ['an open object', '{', ...BAD],
  ['an open text', '{"summary":"x', ...BAD],
  ['a comma at the end', turn(''), ...BAD],
  ['a comment', '{"summary":"x"/* y */}', ...BAD],
  ['single quotes', "{'summary':'x'}", ...BAD],
  ['a name without quotes', '{summary:"x"}', ...BAD],
  ['NaN', turn('"converged":NaN'), ...BAD],
  ['Infinity', turn('"converged":-Infinity'), ...BAD],
  ['a leading zero', turn('"n":012'), ...BAD],
  ['a plus sign', turn('"n":+1'), ...BAD],
  ['a raw tab in a text', '{"summary":"a\tb"}', ...BAD],
  ['a raw line end in a text', '{"summary":"a\nb"}', ...BAD],
  ['a no-break space between members', '{"summary":"x",\u00a0"converged":true}', ...BAD],
  ['an unknown escape', '{"summary":"\\x41"}', ...BAD],
  ['half an escape', '{"summary":"\\u00"}', ...BAD],
];

const HIDDEN: readonly Row[] = [
  ['__proto__', turn('"__proto__":{}'), ...FAULTY],
  ['__proto__ in escapes', turn('"\\u005f_proto__":{}'), ...FAULTY],
  ['__proto__ further inside', turn('"concerns":[{"__proto__":1}]'), ...FAULTY],
  ['__proto__ as a value', '{"summary":"__proto__"}', ...PASSED],
  ['constructor', turn('"constructor":{"prototype":{"isAdmin":true}}'), ...REFUSED],
  ['toString', turn('"toString":"x"'), ...REFUSED],
  ['a member twice', '{"summary":"x","summary":"y"}', ...FAULTY],
  ['a member twice, once in escapes', '{"summary":"x","\\u0073ummary":"y"}', ...FAULTY],
  ['a member twice further inside', turn('"questions":[{"text":"a","to":"agent","to":"owner"}]'), ...FAULTY],
  ['U+0000 in an escape', '{"summary":"a\\u0000b"}', ...FAULTY],
  ['U+0000 raw', '{"summary":"a\u0000b"}', ...BAD],
  ['U+0000 in a name', turn('"a\\u0000":1'), ...FAULTY],
  ['a high surrogate alone', '{"summary":"\\ud83d"}', ...FAULTY],
  ['a low surrogate alone', '{"summary":"\\ude00"}', ...FAULTY],
  ['surrogates in the wrong order', '{"summary":"\\ude00\\ud83d"}', ...FAULTY],
  ['a high surrogate before a letter', '{"summary":"\\ud83da"}', ...FAULTY],
  ['a whole pair in escapes', '{"summary":"\\ud83d\\ude00"}', ...PASSED],
  ['U+2028 and U+FFFF raw', '{"summary":"a\u2028\uffff"}', ...PASSED],
];

const NUMBERS: readonly Row[] = [
  ['1e999', turn('"n":1e999'), ...FAULTY],
  ['-1e999', turn('"n":[-1e999]'), ...FAULTY],
  ['400 digits', turn(`"n":${'9'.repeat(400)}`), ...FAULTY],
  ['1e-999, which is zero', turn('"n":1e-999'), ...REFUSED],
  ['-0', turn('"converged":-0'), ...REFUSED],
];

const DEPTHS: readonly Row[] = [
  ['depth 62', `{"a":${nested(61)}}`, '422 INVALID_INPUT', '200 INVALID_INPUT'],
  ['depth 63', `{"a":${nested(62)}}`, '422 INVALID_INPUT', '200 INVALID_INPUT'],
  ['depth 64', `{"a":${nested(63)}}`, '422 INVALID_INPUT', '200 INVALID_INPUT'],
  ['depth 65', `{"a":${nested(64)}}`, ...FAULTY],
  ['depth 90,000', `{"a":${nested(90_000)}}`, ...FAULTY],
  ['depth 65 inside of a text', turn(`"concerns":${JSON.stringify(nested(65))}`), ...REFUSED],
];

const SHAPES: readonly Row[] = [
  ['an unknown member', turn('"sumary":"y"'), ...REFUSED],
  ['a member without a name', turn('"":1'), ...REFUSED],
  ['an array as text', turn('"concerns":"[\\"Slow.\\"]"'), ...PASSED],
  ['an array of objects as text', turn('"questions":"[{\\"text\\":\\"Q?\\",\\"to\\":\\"agent\\"}]"'), ...PASSED],
  ['an array as text that is no JSON', turn('"concerns":"[\\"Slow."'), ...REFUSED],
  ['an array as text with a member twice', turn('"answers":"[{\\"a\\":1,\\"a\\":2}]"'), ...REFUSED],
  ['a boolean as text', turn('"converged":"true"'), ...PASSED],
  ['an object where a text is declared', '{"summary":{"text":"x"}}', ...REFUSED],
  ['JSON in a text that is declared as one', '{"summary":"{\\"a\\":1}"}', ...PASSED],
  ['null for optional members', turn('"concerns":null,"converged":null,"request_id":null'), ...PASSED],
  ['null for an optional member inside', turn('"interfaces":[{"name":"a","kind":null,"description":"b"}]'), ...PASSED],
  ['null for a required member', '{"summary":null}', ...REFUSED],
  ['null in an array', turn('"concerns":[null]'), ...REFUSED],
  ['another session', turn('"session_id":"elsewhere"'), '403 WRONG_SESSION', '200 WRONG_SESSION'],
  ['a session that is no text', turn('"session_id":1'), '403 WRONG_SESSION', '200 WRONG_SESSION'],
  ['a blank text', '{"summary":" \\n\\u3000"}', ...REFUSED],
  ['a text of one character too many', `{"summary":"${'a'.repeat(8_001)}"}`, ...REFUSED],
];

const BOMBS: readonly Row[] = [
  ['15,000 unknown members', `{${members(15_000)}}`, ...REFUSED],
  ['60,000 objects', turn(`"concerns":[${'{},'.repeat(60_000)}{}]`), ...REFUSED],
  ['90,000 nulls', turn(`"answers":[${'0,'.repeat(90_000)}0]`), ...REFUSED],
  ['a blank text of 190,000 characters', `{"summary":"${' '.repeat(190_000)}"}`, ...REFUSED],
  ['190,000 characters of an id', turn(`"acknowledged_directives":["i_${'1'.repeat(190_000)}"]`), ...REFUSED],
  ['33,000 escapes', `{"summary":"${'\\u0041'.repeat(33_000)}"}`, ...REFUSED],
  ['64 kB of backslashes', `{"summary":"${'\\\\'.repeat(64_000)}"}`, ...REFUSED],
];

const TABLES = { KINDS, SYNTAX, HIDDEN, NUMBERS, DEPTHS, SHAPES, BOMBS };

describe.each(Object.entries(TABLES))('%s', (_, rows) => {
  it.each(rows)('REST: %s', async (_name, body, rest) => {
    const target = turnTargets(service).REST;
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, { target, body })], rest);
  });

  it.each(rows)('MCP: %s', async (_name, json, _rest, mcp) => {
    const request = { target: MCP, body: toolCall(json) };
    await expectVerdict(service, [requestBytes(service.tokens.agent_b, request)], mcp);
  });
});

/** Texts that are sent as the whole body, over REST and over MCP. None is a JSON object. */
const WHOLE: readonly Row[] = [
  ['nothing', '', '422 INVALID_INPUT', '400 -32700'],
  ['a space', ' ', '422 INVALID_INPUT', '400 -32700'],
  ['an array of none', '[]', '400 INVALID_JSON', '400 -32600'],
  ['an array in an array', '[[]]', '400 INVALID_JSON', '200 ok'],
  ['a number', '5', '400 INVALID_JSON', '400 -32600'],
  ['null', 'null', '400 INVALID_JSON', '400 -32600'],
  ['a text', '"x"', '400 INVALID_JSON', '400 -32600'],
  ['two objects', '{}{}', '400 INVALID_JSON', '400 -32700'],
  ['two lines of JSON', '{}\n{}', '400 INVALID_JSON', '400 -32700'],
  ['a form', 'summary=x&converged=true', '400 INVALID_JSON', '400 -32700'],
  ['5,000 elements', `[${'{},'.repeat(4_999)}{}]`, '400 INVALID_JSON', '400 -32600'],
  ['100,000 brackets', '['.repeat(100_000), '400 INVALID_JSON', '400 -32700'],
];

describe('WHOLE', () => {
  const ask = (target: string, body: string) =>
    requestBytes(service.tokens.agent_b, { method: 'POST', target, body, headers: [`Content-Length: ${body.length}`] });

  it.each(WHOLE)('REST: %s', async (_name, body, rest) => {
    await expectVerdict(service, [ask(turnTargets(service).REST, body)], rest);
  });

  it.each(WHOLE)('MCP: %s', async (_name, body, _rest, mcp) => {
    await expectVerdict(service, [ask(MCP, body)], mcp);
  });
});
