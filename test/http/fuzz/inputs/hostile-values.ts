import fc from 'fast-check';

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud83d',
  '\ude00\ud83d',
  '\u001e',
  '\u2028\u202e\ufeff',
  '\u{10ffff}',
  'e\u0301'.repeat(500),
  '__proto__',
  'constructor',
  "'; drop table sessions; --",
  '%00%s%n',
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  '<script>',
  '{{7*7}}',
  'prt_',
  'd_0',
  'd_999999999',
  'd_9999999999',
  '{"a":{"a":1}}',
  '[[[[',
  '1e999',
  '-1',
  'true',
  'null',
] as const;

const NUMBERS = [0, -0, -1, 1.5, 26, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324] as const;

const deep = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner, _, level) => (level % 2 === 0 ? [inner] : { a: inner }), 1);

/** Values that hardly any member accepts. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]]) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 10 }).map((text) => text.repeat(1_000)) },
  { weight: 3, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 80 }).map(deep) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 3_000 }).map((length) => Array.from({ length }, () => 'x')) },
);
