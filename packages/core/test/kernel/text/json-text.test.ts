import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ParleyError } from '../../../src/kernel/errors.ts';
import { parseJson, parseJsonObject, plainJson } from '../../../src/kernel/text/json-reading.ts';

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
const unexpected = (place: string): string =>
  `INVALID_JSON The body is not valid JSON: the character at ${place} is not expected.`;
const CUT_OFF = 'INVALID_JSON The body is not valid JSON: it ends too early.';

test.each([
  ['an object', '{"a":[1,-0.5,1e3,true,false,null,"x"]}', { a: [1, -0.5, 1000, true, false, null, 'x'] }],
  ['white space around', ' \t\r\n{ "a" : 1 }\n', { a: 1 }],
  ['the largest double', '[1.7976931348623157e308,-1.7976931348623157e308]', [Number.MAX_VALUE, -Number.MAX_VALUE]],
  ['1e308', '1e308', 1e308],
  ['a number too small to tell from 0', '1e-999', 0],
  ['the largest safe integers', '[9007199254740991,-9007199254740991]', [9007199254740991, -9007199254740991]],
  ['2^53, which a double holds', '9007199254740992', 9007199254740992],
  ['a long integer that is written back with the same digits', '12345678901234567000', 12345678901234567000],
  ['a power of ten, in digits and with an exponent', '[10000000000000000,1e21,0.1E+20]', [1e16, 1e21, 1e19]],
  ['an integer with a fraction of zeros', '10000000000000000.000', 1e16],
  ['decimals', '[0.1,0.12345678901234567890]', [0.1, 0.12345678901234568]],
  ['long digits in a string', '"9007199254740993"', '9007199254740993'],
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
  ['1e999', '[0,1e999]', '[1] is a number that cannot be kept exactly'],
  ['-1e999', '{"a":{"b":-1E+999}}', 'a.b is a number that cannot be kept exactly'],
  ['400 digits', '9'.repeat(400), 'the whole value is a number that cannot be kept exactly'],
  ['2^53 + 1', '{"a":[9007199254740993]}', 'a[0] is a number that cannot be kept exactly'],
  ['-2^53 - 1', '{"x":{"min":-9007199254740993}}', 'x.min is a number that cannot be kept exactly'],
  ['the largest 64-bit integer', '{"maximum":9223372036854775807}', 'maximum is a number that cannot be kept exactly'],
  ['2^63, written back as other digits', '[9223372036854775808]', '[0] is a number that cannot be kept exactly'],
  ['an integer of 17 digits with a fraction', '[12345678901234567.5]', '[0] is a number that cannot be kept exactly'],
  ['an integer with an exponent', '{"a":9007199254.740993e6}', 'a is a number that cannot be kept exactly'],
  [
    'a long integer as the last of many',
    '{"a":[1,2,{"b":1,"c":[0,9007199254740993]}]}',
    'a[2].c[1] is a number that cannot be kept exactly',
  ],
  ['the first of two faults', '{"a":1,"a":2,"b":"\\u0000"}', 'a is named twice'],
])('refuses %s, and names the place', (_what, text, fault) => {
  expect(outcomeOf(() => parseJson(text))).toBe(`INVALID_JSON The JSON is refused: ${fault}.`);
});

test.each([
  ['{"a":{"b":1,"b":2}}', 'Correct a.b: name it once. Then send the call again.'],
  ['{"a":{"__proto__":2}}', 'Correct a.__proto__: give the member another name. Then send the call again.'],
  ['["\\u0000"]', 'Correct [0]: leave that character out. Then send the call again.'],
  ['["\\ud83d"]', 'Correct [0]: write the whole character, or leave it out. Then send the call again.'],
  ['1e400', 'Correct the JSON: send it as a string. Then send the call again.'],
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
  ['an unknown escape', '"\\x41"', unexpected('line 1, column 2')],
  ['half an escape', '"\\u00"', unexpected('line 1, column 2')],
  ['an escaped end of text', '"abc\\"', CUT_OFF],
  ['an open string', '{"a', CUT_OFF],
  ['nothing', '', CUT_OFF],
  ['white space alone', ' \n', CUT_OFF],
  ['a byte order mark', '\ufeff{}', unexpected('line 1, column 1')],
  ['a comment', '{"a":1}// x', unexpected('line 1, column 8')],
  ['a comment in a block', '/* x */{}', unexpected('line 1, column 1')],
  ['a comma at the end of an object', '{\n  "😀": 1,\n  "b": "😀", }', unexpected('line 3, column 13')],
  ['a comma at the end of an array', '[1,\r\n]', unexpected('line 2, column 1')],
  ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', unexpected('line 3, column 3')],
  ['a missing colon', '{"a" 1}', unexpected('line 1, column 6')],
  ['a value in place of a name', '{1:1}', unexpected('line 1, column 2')],
  ['single quotes', "{'a':1}", unexpected('line 1, column 2')],
  ['two values', '{}{}', unexpected('line 1, column 3')],
  ['NaN', '{"a":NaN}', unexpected('line 1, column 6')],
  ['a leading zero', '01', unexpected('line 1, column 2')],
  ['a wrong bracket', '[}', unexpected('line 1, column 2')],
  ['only closing brackets', ']]]]', unexpected('line 1, column 1')],
  ['a raw line break in a string', '"a\nb"', unexpected('line 1, column 3')],
  ['a raw U+0000 in a string', '"\u0000"', unexpected('line 1, column 2')],
  ['a name twice, and no end', '{"a":1,"a":2', CUT_OFF],
  ['100,000 levels without an end', '['.repeat(100_000), CUT_OFF],
  ['__proto__ and a comma at the end', '{"__proto__":1,}', unexpected('line 1, column 16')],
  ['a large number, and no end', '[9007199254740993', CUT_OFF],
])('refuses %s as no JSON, and says where', (_what, text, refusal) => {
  expect(outcomeOf(() => parseJson(text))).toBe(refusal);
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
  expect(outcomeOf(() => parseJsonObject(text))).toBe(unexpected('line 1, column 1'));
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
  ['long numbers that are kept', `[${repeated('12345678901234567000,')}1]`, 3],
  ['zeros', `1${repeated('0')}1.5e-199995`, 2],
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
    expect(matches.mock.calls.length).toBeLessThanOrEqual(text.length + 3);
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

test('every JSON value is the same in process, but for numbers that its program may have rounded', () => {
  const numbers = [9007199254740991, -1.5, 0.1, 1e-7];
  expect(plainJson({ numbers })).toEqual({ numbers });
  for (const number of [9007199254740992, -(2 ** 63), 1e300]) {
    expect(outcomeOf(() => plainJson({ a: [number] }))).toBe(
      'INVALID_JSON The JSON is refused: a[0] is a number that cannot be kept exactly.',
    );
  }
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
