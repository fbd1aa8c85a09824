import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameCommit, longerCommit } from '../../src/areas/verify/state.ts';

describe('two names of commits', () => {
  test.each([
    ['abcdef1', 'abcdef1', true, 'abcdef1'],
    ['abcdef1', 'ABCDEF1', true, 'abcdef1'],
    ['ABCDEF1', 'abcdef123', true, 'abcdef123'],
    ['abcdef123', 'ABCDEF1', true, 'abcdef123'],
    ['abcdef1', 'abcdef2', false, undefined],
    ['abcdef12', 'abcdef13', false, undefined],
    ['bcdef12', 'abcdef12', false, undefined],
  ])('%s and %s', (one, other, isSame, kept) => {
    expect(isSameCommit(one, other)).toBe(isSame);
    if (kept !== undefined) expect(longerCommit(one, other)).toBe(kept);
  });

  test('are compared the same in either order, and the stored form is as long as the longer', () => {
    const hex = fc.stringMatching(/^[0-9a-fA-F]{7,12}$/);
    fc.assert(
      fc.property(hex, hex, fc.nat(5), (one, other, cut) => {
        expect(isSameCommit(one, other)).toBe(isSameCommit(other, one));
        const short = one.slice(0, Math.max(7, one.length - cut));
        expect(isSameCommit(one, short)).toBe(true);
        expect(longerCommit(short, one)).toBe(one.toLowerCase());
      }),
    );
  });
});
