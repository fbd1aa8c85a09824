import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ParleyError } from '../../src/kernel/errors.ts';
import { parseJson, parseJsonObject, plainJson } from '../../src/kernel/json-text.ts';

const outcomeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof ParleyError ? `${error.code} ${error.message}` : error;
  }
};

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const INVALID = 'INVALID_JSON The body is not valid JSON.';

test.each([
  ['an object', '{"a":[1,-0.5,1e3,true,false,null,"x"]}', { a: [1, -0.5, 1000, true, false, null, 'x'] }],
  ['white space around', ' \t\r\n{ "a" : 1 }\n', { a: 1 }],
  ['the largest double', '[1.7976931348623157e308,-1.7976931348623157e308]', [Number.MAX_VALUE, -Number.MAX_VALUE]],
  ['1e308', '1e308', 1e308],
  ['a number too small to tell from 0', '1e-999', 0],
  ['308 digits', '9'.repeat(308), 1e308],
  ['a number in a string', '"1e999"', '1e999'],
  ['one name in sibling objects', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ['one name at two depths', '{"a":{"a":{"a":1}}}', { a: { a: { a: 1 } } }],
  ['a value equal to a name', '{"a":"a","b":"a"}', { a: 'a', b: 'a' }],
  ['a repeated text in an array', '{"a":["a","a"]}', { a: ['a', 'a'] }],
  ['a paired surrogate, raw and escaped', '["😀","\\ud83d\\ude00"]', ['😀', '😀']],
  ['__proto__ as a value', '["__proto__"]', ['__proto__']],
  ['names of Object.prototype', '{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
  ['brackets and commas in strings', '{"a":"[{,:\\"}]","b":1}', { a: '[{,:"}]', b: 1 }],
  ['a backslash before a quote', '{"a":"\\\\","b":"\\""}', { a: '\\', b: '"' }],
])('parses %s', (_what, text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each([
  ['65 levels of arrays', nested(65), 'is nested deeper than 64 levels'],
  ['65 levels of objects', `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`, 'is nested deeper than 64 levels'],
  ['100,000 levels', nested(100_000), 'is nested deeper than 64 levels'],
  ['a name twice', '{"a":1,"b":2,"a":3}', 'names the member "a" twice'],
  ['a name twice, once escaped', '{"a":1,"\\u0061":2}', 'names the member "a" twice'],
  ['a name twice, deep inside', '[{"x":[{"a":1,"a":1}]}]', 'names the member "a" twice'],
  ['a name twice around an inner object', '{"a":{"b":1},"a":2}', 'names the member "a" twice'],
  ['an empty name twice', '{"":1,"":2}', 'names the member "" twice'],
  ['__proto__', '{"__proto__":{}}', 'holds a member named "__proto__"'],
  ['__proto__ escaped', '{"a":[{"\\u005f_proto__":1}]}', 'holds a member named "__proto__"'],
  ['an escaped U+0000', '{"a":"\\u0000"}', 'holds the character U+0000 near offset 6'],
  ['an escaped U+0000 in a name', '{"\\u0000":1}', 'holds the character U+0000 near offset 2'],
  ['a raw U+0000 in a string', '"\u0000"', 'holds the character U+0000 near offset 1'],
  ['a raw lone surrogate', '"\ud800"', 'holds a lone surrogate near offset 1'],
  ['an escaped lone surrogate', '"\\uDC00x"', 'holds a lone surrogate near offset 1'],
  ['a pair in the wrong order', '"\\udc00\\ud800"', 'holds a lone surrogate near offset 1'],
  ['half a pair raw, half escaped, wrong half', '"\ud83d\\ud83d"', 'holds a lone surrogate near offset 1'],
  ['1e999', '[1e999]', 'holds a number that is too large'],
  ['-1e999', '{"a":-1E+999}', 'holds a number that is too large'],
  ['400 digits', '9'.repeat(400), 'holds a number that is too large'],
  ['290 digits with a short exponent', `${'9'.repeat(290)}e99`, 'holds a number that is too large'],
  ['a long fraction with a short exponent', `[${'9'.repeat(299)}.5e10]`, 'holds a number that is too large'],
  ['an unknown escape', '"\\x41"', 'holds a malformed string near offset 1'],
  ['half an escape', '"\\u00"', 'holds a malformed string near offset 1'],
  ['an escaped end of text', '"abc\\"', 'is not valid JSON'],
  ['an open string', '{"a', 'is not valid JSON'],
  ['nothing', '', 'is not valid JSON'],
  ['white space alone', ' \n', 'is not valid JSON'],
  ['a byte order mark', '\ufeff{}', 'is not valid JSON'],
  ['a comment', '{"a":1}// x', 'is not valid JSON'],
  ['a comment in a block', '/* x */{}', 'is not valid JSON'],
  ['a comma at the end of an object', '{"a":1,}', 'is not valid JSON'],
  ['a comma at the end of an array', '[1,]', 'is not valid JSON'],
  ['single quotes', "{'a':1}", 'is not valid JSON'],
  ['two values', '{}{}', 'is not valid JSON'],
  ['NaN', 'NaN', 'is not valid JSON'],
  ['a leading zero', '01', 'is not valid JSON'],
  ['a wrong bracket', '[}', 'is not valid JSON'],
  ['only closing brackets', ']]]]', 'is not valid JSON'],
  ['a raw line break in a string', '"a\nb"', 'is not valid JSON'],
])('refuses %s', (_what, text, fault) => {
  expect(outcomeOf(() => parseJson(text))).toBe(`INVALID_JSON The body ${fault}.`);
});

test('takes 64 levels', () => {
  expect(JSON.stringify(parseJson(nested(64)))).toBe(nested(64));
});

test('shows at most 60 characters of a name', () => {
  const name = 'n'.repeat(90_000);
  const message = outcomeOf(() => parseJson(`{"${name}":1,"${name}":2}`));
  expect(message).toBe(`INVALID_JSON The body names the member "${'n'.repeat(60)}" twice.`);
});

test('takes a body that is an object, and an empty one', () => {
  expect(parseJsonObject('')).toEqual({});
  expect(parseJsonObject('{}')).toEqual({});
});

test.each(['[]', 'null', '1', '"x"', 'true'])('refuses %s as a body', (text) => {
  expect(outcomeOf(() => parseJsonObject(text))).toBe('INVALID_JSON The body is not a JSON object.');
});

test.each([' ', '\n', ' \t\r\n '])('takes a body of white space alone as an empty one: %j', (text) => {
  expect(parseJsonObject(text)).toEqual({});
});

test.each(['\u00a0', '\u3000', '\ufeff'])('refuses what JSON does not count as white space: %j', (text) => {
  expect(outcomeOf(() => parseJsonObject(text))).toBe(INVALID);
});

const FULL = 200_000;
const repeated = (part: string, count = Math.floor(FULL / part.length)): string => part.repeat(count);

test.each([
  ['open arrays', repeated('['), 1],
  ['open objects', repeated('{"":'), 1],
  ['quotes', repeated('"'), 2],
  ['backslashes', `"${repeated('\\')}`, 2],
  ['escapes', `"${repeated('\\u0041')}"`, 3],
  ['digits', repeated('1'), 2],
  ['runs of 299 digits', `[${repeated(`${'1'.repeat(299)},`)}1]`, 2],
  ['exponents', `[${repeated('1e10,')}1]`, 2],
  ['distinct names', `{${Array.from({ length: 20_000 }, (_, n) => `"n${n}":1`).join(',')}}`, 2],
  ['commas', repeated(','), 2],
  ['colons', repeated(':'), 2],
])('reads 200,000 characters of %s in time that grows with the length only', (_what, text, most) => {
  const charCodeAt = vi.spyOn(String.prototype, 'charCodeAt');
  const parse = vi.spyOn(JSON, 'parse');
  const matches = vi.spyOn(RegExp.prototype, 'exec');
  try {
    outcomeOf(() => parseJson(text));
    const parsed = parse.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
    expect((charCodeAt.mock.calls.length + parsed) / text.length).toBeLessThanOrEqual(most + 0.1);
    expect(matches.mock.calls.length).toBe(0);
  } finally {
    vi.restoreAllMocks();
  }
});

const json = fc.jsonValue({ maxDepth: 6 });
const isClean = (text: string): boolean =>
  !text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text) && !text.includes('__proto__');

test('every JSON value survives', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      fc.pre(isClean(text));
      expect(parseJson(text)).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('any text gives what JSON.parse gives, or INVALID_JSON', () => {
  const fragment = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"b"',
    '1',
    '-',
    '.5',
    'e9',
    'true',
    'null',
    ' ',
    '\\u0061',
    '\u0000',
    '\ud800',
    '😀',
  );
  const texts = fc.oneof(
    fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const outcome = outcomeOf(() => parseJson(text));
      if (typeof outcome === 'string' && outcome.startsWith('INVALID_JSON ')) return;
      expect(outcome).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

test('what JSON cannot say is dropped like JSON drops it', () => {
  expect(plainJson({ a: undefined, b: Number.NaN, c: new Date(0), d: [undefined] })).toEqual({
    b: null,
    c: '1970-01-01T00:00:00.000Z',
    d: [null],
  });
  expect(plainJson(undefined)).toBe(null);
});

test('what no JSON text stands for is refused like a bad body', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], 0);
  for (const value of [cycle, { n: 1n }, deep]) {
    expect(outcomeOf(() => plainJson(value))).toBe('INVALID_JSON The body cannot be written as JSON.');
  }
  expect(outcomeOf(() => plainJson({ text: '\ud800' }))).toBe(
    'INVALID_JSON The body holds a lone surrogate near offset 9.',
  );
});
