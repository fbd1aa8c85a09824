import canonicalizeModule from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHash, canonicalJson } from '../../../src/kernel/text/hash.ts';

// The cast is needed because under nodenext the package's types describe a CommonJS default export.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

describe('the canonical form', () => {
  test('sorts members by UTF-16 units and writes numbers as RFC 8785 does', () => {
    expect(canonicalJson({ b: [1e21, 0.1, -0, 1e-7], a: { z: null, '': 'é\u001f' }, '😀': 1, ﬀ: 2 })).toBe(
      '{"a":{"":"é\\u001f","z":null},"b":[1e+21,0.1,0,1e-7],"😀":1,"ﬀ":2}',
    );
    expect(canonicalHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });

  test('refuses values that JSON cannot represent', () => {
    for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, '\ud800'])
      expect(() => canonicalJson(value)).toThrow();
  });

  test('is the same as in the library by the author of RFC 8785', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves out undefined members', () => {
    expect(canonicalJson({ b: undefined, a: [null, true, { 10: 'ten', 9: 'nine' }] })).toBe(
      '{"a":[null,true,{"10":"ten","9":"nine"}]}',
    );
  });
});
