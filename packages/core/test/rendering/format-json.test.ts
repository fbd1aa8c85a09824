import { describe, expect, test } from 'vitest';
import { formatJson } from '../../src/areas/rendering/markdown.ts';

describe('formatJson', () => {
  test.each([
    [null, 'null'],
    ['text', '"text"'],
    [[], '[]'],
    [{}, '{}'],
    [{ b: [1, 'two'], a: { c: true } }, '{ "a": { "c": true }, "b": [1, "two"] }'],
    ['a\u202eb\u2028c\u{e0041}\n', '"a\\u202eb\\u2028c\\udb40\\udc41\\n"'],
  ])('writes %j in one line', (value, text) => {
    expect(formatJson(value)).toBe(text);
  });

  test('divides only long values into lines', () => {
    const value = { type: 'object', text: 'x'.repeat(90), list: [{ a: 1 }] };
    expect(formatJson(value)).toBe(
      ['{', '  "list": [{ "a": 1 }],', `  "text": "${'x'.repeat(90)}",`, '  "type": "object"', '}'].join('\n'),
    );
  });

  test('fills the lines of a list of words', () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`);
    const text = formatJson({ enum: words });
    expect(JSON.parse(text)).toEqual({ enum: words });
    expect(text.split('\n').map((line) => line.length)).toEqual([1, 11, 93, 93, 93, 93, 32, 3, 1]);
  });

  test('keeps deep values complete', () => {
    let value: unknown = { leaf: 'x'.repeat(120) };
    for (let depth = 0; depth < 60; depth += 1) value = depth % 2 ? [value] : { inner: value };
    expect(JSON.parse(formatJson(value))).toEqual(value);
  });
});
