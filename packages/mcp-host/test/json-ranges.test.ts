import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsOf, membersOf, readId } from '../src/bodies.ts';

const INDENTS = fc.constantFrom(undefined, 1, '\t');

test('the members of an object are found at the positions that JSON.parse uses', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 })),
      INDENTS,
      (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const members = membersOf(text).map(({ name, from, to }) => [name, JSON.parse(text.slice(from, to))]);
        expect(members).toEqual(Object.entries(JSON.parse(text)));
      },
    ),
    { numRuns: 500 },
  );
});

test('the elements of an array are found at the positions that JSON.parse uses', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), INDENTS, (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const elements = elementsOf(text)?.map(({ from, to }) => JSON.parse(text.slice(from, to)));
      expect(elements).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('the beginning of a request gives its id or no id, wherever the text is cut', () => {
  const ids = fc.oneof(fc.string(), fc.integer());
  fc.assert(
    fc.property(ids, fc.jsonValue({ maxDepth: 3 }), fc.boolean(), fc.nat(), (id, params, isFirst, cut) => {
      const request = { method: 'tools/call', params, jsonrpc: '2.0' };
      const text = JSON.stringify(isFirst ? { id, ...request } : { ...request, id });
      expect(readId(text)).toBe(id);
      expect([null, id]).toContain(readId(text.slice(0, cut % text.length)));
    }),
    { numRuns: 500 },
  );
});

test.each(['', '[]', '5', '"x"', '{', '{}', '{"a"', '{"a":', '{"a":1', '{a:1}', '{1:2}', '{"a" 1}', '{,}'])(
  'a cut object without a complete member has no members: %s',
  (text) => {
    expect(membersOf(text)).toEqual([]);
  },
);

const REPEATED = ['{', '[', '"', '\\', '{"":', '[[]', '{"a":[', '"\\', ' ', '{}', '1', ',', '{"a":"\\"', '\\"'];

// A scan whose time grows with the square of the length would exceed the test's time limit.
test.each(REPEATED)('parses a million characters of %j', (part) => {
  for (const start of ['', '{"a":', '{"a":"', '[']) {
    const text = start + part.repeat(1_000_000 / part.length);
    readId(text);
    elementsOf(text);
  }
});
