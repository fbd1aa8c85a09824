import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ParleyError } from '../../../src/kernel/errors.ts';
import { parseJson, parseJsonObject, plainJson } from '../../../src/kernel/text/json-text.ts';

const outcomeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof ParleyError ? `${error.code} ${error.message}` : error;
  }
};

const hintOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof ParleyError ? error.body().hint : error;
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
  ['65 levels of arrays', nested(65), `${'[0]'.repeat(64)} is nested deeper than 64 levels`],
  [
    '65 levels of objects',
    `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`,
    `a${'.a'.repeat(63)} is nested deeper than 64 levels`,
  ],
  ['100,000 levels', nested(100_000), `${'[0]'.repeat(64)} is nested deeper than 64 levels`],
  ['a name twice', '{"a":1,"b":2,"a":3}', 'a is named twice'],
  ['a name twice, once escaped', '{"a":1,"\\u0061":2}', 'a is named twice'],
  ['a name twice, deep inside', '[{},{"x":[{"a":1,"a":1}]}]', '[1].x[0].a is named twice'],
  ['a name twice around an inner object', '{"a":{"b":1},"a":2}', 'a is named twice'],
  ['an empty name twice', '{"":1,"":2}', '[""] is named twice'],
  ['__proto__', '{"__proto__":{}}', '__proto__ is a member name that is not allowed'],
  ['__proto__ escaped', '{"a":[{"\\u005f_proto__":1}]}', 'a[0].__proto__ is a member name that is not allowed'],
  ['an escaped U+0000', '{"a":"\\u0000"}', 'a holds the character U+0000'],
  ['an escaped U+0000 in a name', '{"x":{"\\u0000":1}}', 'x["\\u{0}"] holds the character U+0000'],
  [
    'an escaped U+0000 behind other members',
    '{"a":[1,[2,{"b":"","c":["","\\u0000"]}]]}',
    'a[1][1].c[1] holds the character U+0000',
  ],
  ['an escaped U+0000 alone', '"\\u0000"', 'the whole value holds the character U+0000'],
  ['a raw lone surrogate', '"\ud800"', 'the whole value holds a lone surrogate'],
  ['an escaped lone surrogate', '{"turn":{"summary":"\\uDC00x"}}', 'turn.summary holds a lone surrogate'],
  ['a pair in the wrong order', '["","\\udc00\\ud800"]', '[1] holds a lone surrogate'],
  ['half a pair raw, half escaped, wrong half', '"\ud83d\\ud83d"', 'the whole value holds a lone surrogate'],
  ['a lone surrogate in a name', '{"two words":{"\\ud83d":1}}', '["two words"]["\\u{d83d}"] holds a lone surrogate'],
  ['1e999', '[0,1e999]', '[1] is a number that is too large'],
  ['-1e999', '{"a":{"b":-1E+999}}', 'a.b is a number that is too large'],
  ['400 digits', '9'.repeat(400), 'the whole value is a number that is too large'],
  ['290 digits with a short exponent', `${'9'.repeat(290)}e99`, 'the whole value is a number that is too large'],
  ['a long fraction with a short exponent', `[${'9'.repeat(299)}.5e10]`, '[0] is a number that is too large'],
  ['the first of two faults', '{"a":1,"a":2,"b":"\\u0000"}', 'a is named twice'],
])('refuses %s, and names the place', (_what, text, fault) => {
  expect(outcomeOf(() => parseJson(text))).toBe(`INVALID_JSON The JSON is refused: ${fault}.`);
});

test.each([
  ['{"a":{"b":1,"b":2}}', 'Correct a.b: name it once. Then send the call again.'],
  ['{"a":{"__proto__":2}}', 'Correct a.__proto__: give the member another name. Then send the call again.'],
  ['["\\u0000"]', 'Correct [0]: leave that character out. Then send the call again.'],
  ['["\\ud83d"]', 'Correct [0]: write the whole character, or leave it out. Then send the call again.'],
  ['1e400', 'Correct the JSON: send a number within the range of a double, or a text. Then send the call again.'],
  [`{"a":${nested(64)}}`, `Correct a${'[0]'.repeat(63)}: nest it less deeply. Then send the call again.`],
  [
    '{"Ignore this.":1,"Ignore this.":2}',
    'Correct the member that the message names: name it once. Then send the call again.',
  ],
  ['{', 'Send one JSON object as the body.'],
])('states for %.30s how to correct it', (text, hint) => {
  expect(hintOf(() => parseJson(text))).toBe(hint);
});

test.each([
  ['an unknown escape', '"\\x41"'],
  ['half an escape', '"\\u00"'],
  ['an escaped end of text', '"abc\\"'],
  ['an open string', '{"a'],
  ['nothing', ''],
  ['white space alone', ' \n'],
  ['a byte order mark', '\ufeff{}'],
  ['a comment', '{"a":1}// x'],
  ['a comment in a block', '/* x */{}'],
  ['a comma at the end of an object', '{"a":1,}'],
  ['a comma at the end of an array', '[1,]'],
  ['single quotes', "{'a':1}"],
  ['two values', '{}{}'],
  ['NaN', 'NaN'],
  ['a leading zero', '01'],
  ['a wrong bracket', '[}'],
  ['only closing brackets', ']]]]'],
  ['a raw line break in a string', '"a\nb"'],
  ['a raw U+0000 in a string', '"\u0000"'],
  ['a name twice, and no end', '{"a":1,"a":2'],
  ['100,000 levels without an end', '['.repeat(100_000)],
  ['__proto__ and a comma at the end', '{"__proto__":1,}'],
])('refuses %s as no JSON', (_what, text) => {
  expect(outcomeOf(() => parseJson(text))).toBe(INVALID);
});

test('accepts 64 levels', () => {
  expect(JSON.stringify(parseJson(nested(64)))).toBe(nested(64));
});

test('shows at most 60 characters of a name, and 300 of a path', () => {
  const name = 'n'.repeat(10_000);
  const message = outcomeOf(() => parseJson(`{"${name}":1,"${name}":2}`));
  expect(message).toBe(`INVALID_JSON The JSON is refused: ${'n'.repeat(60)} is named twice.`);
  const deep = outcomeOf(() => parseJson(`${`{"${name}":`.repeat(9)}"\\u0000"${'}'.repeat(9)}`));
  const path = `${`${'n'.repeat(60)}.`.repeat(5)}`.slice(0, 300);
  expect(deep).toBe(`INVALID_JSON The JSON is refused: ${path}… holds the character U+0000.`);
});

test('accepts a body that is an object, and an empty body', () => {
  expect(parseJsonObject('')).toEqual({});
  expect(parseJsonObject('{}')).toEqual({});
});

test.each(['[]', 'null', '1', '"x"', 'true'])('refuses %s as a body', (text) => {
  expect(outcomeOf(() => parseJsonObject(text))).toBe('INVALID_JSON The body is not a JSON object.');
});

test.each([' ', '\n', ' \t\r\n '])('treats a body of white space as an empty body: %j', (text) => {
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

test('every JSON value is read back unchanged', () => {
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

test('what JSON cannot express is left out as by JSON.stringify', () => {
  expect(plainJson({ a: undefined, b: Number.NaN, c: new Date(0), d: [undefined] })).toEqual({
    b: null,
    c: '1970-01-01T00:00:00.000Z',
    d: [null],
  });
  expect(plainJson(undefined)).toBe(null);
});

test('a value that no JSON text can express is refused like a malformed body', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => [inner], 0);
  for (const value of [cycle, { n: 1n }, deep]) {
    expect(outcomeOf(() => plainJson(value))).toBe('INVALID_JSON The body cannot be written as JSON.');
  }
  expect(outcomeOf(() => plainJson({ text: '\ud800' }))).toBe(
    'INVALID_JSON The JSON is refused: text holds a lone surrogate.',
  );
});
