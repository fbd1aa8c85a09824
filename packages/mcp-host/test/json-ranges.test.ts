import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readId } from '../src/bodies.ts';
import { elementsOf, membersOf } from '../src/json-ranges.ts';

const INDENTS = fc.constantFrom(undefined, 1, '\t');

test('the members of an object stand where JSON.parse finds them', () => {
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

test('the elements of an array stand where JSON.parse finds them', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), INDENTS, (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const elements = elementsOf(text)?.map(({ from, to }) => JSON.parse(text.slice(from, to)));
      expect(elements).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('the start of a request gives its id or none, wherever it breaks off', () => {
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
  'an object of which no member can be seen has none: %s',
  (text) => {
    expect(membersOf(text)).toEqual([]);
  },
);

const REPEATED = ['{', '[', '"', '\\', '{"":', '[[]', '{"a":[', '"\\', ' ', '{}', '1', ',', '{"a":"\\"', '\\"'];

// A scan whose time grows with the square of the length would exceed the test's time limit.
test.each(REPEATED)('comes to the end of a million characters of %j', (part) => {
  for (const start of ['', '{"a":', '{"a":"', '[']) {
    const text = start + part.repeat(1_000_000 / part.length);
    readId(text);
    elementsOf(text);
  }
});
