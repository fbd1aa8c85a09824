import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordDiff } from '../src/areas/document/shown-changes.ts';

describe('wordDiff', () => {
  test('is empty for equal texts', () => {
    expect(wordDiff('the same', 'the same')).toBe('');
  });

  test.each([
    ['marks a replaced word', 'retry five times', 'retry three times', 'retry [-five -]{+three +}times'],
    ['marks an added word', 'retry times', 'retry three times', 'retry {+three +}times'],
    ['marks a removed word', 'retry five times', 'retry times', 'retry [-five -]times'],
    ['marks a punctuation mark', 'at once.', 'at once!', 'at once[-.-]{+!+}'],
    ['marks white space', 'a b', 'a  b', '[-a -]{+a  +}b'],
    ['marks a text that was removed completely', 'gone', '', '[-gone-]'],
  ])('%s', (_what, before, after, words) => {
    expect(wordDiff(before, after)).toBe(words);
  });

  test('shortens unchanged text', () => {
    const [lead, trail] = ['Before the change. '.repeat(60), 'After the change. '.repeat(60)];
    expect(wordDiff(`${lead}One. ${trail}`, `${lead}Two. ${trail}`)).toBe(
      '… . Before the change. Before the change. [-One-]{+Two+}. After the change. After the change. …',
    );
  });

  test('keeps white space at the end of a short unchanged text', () => {
    expect(wordDiff('a😀 \n ', '😀 \n ')).toBe('[-a-]😀 \n ');
  });

  test('marks two long texts that share little as replaced', () => {
    const words = (word: string): string => Array.from({ length: 2_000 }, (_, n) => `${word}${n}`).join(' ');
    expect(wordDiff(words('a'), words('b'))).toBe(`[-${words('a')}-]{+${words('b')}+}`);
  });

  test('contains both texts if nothing is shortened', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '\n', '😀', 'é', '中'), maxLength: 25 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const words = wordDiff(before, after);
        fc.pre(before !== after);
        const without = (removed: RegExp, kept: RegExp): string => words.replace(removed, '').replace(kept, '$1');
        expect(without(/\{\+.*?\+\}/gs, /\[-(.*?)-\]/gs)).toBe(before);
        expect(without(/\[-.*?-\]/gs, /\{\+(.*?)\+\}/gs)).toBe(after);
      }),
      { numRuns: 1000 },
    );
  });
});
