import { expect, test } from 'vitest';
import { firstWords } from '../../../src/kernel/text/readable.ts';

test.each([
  ['returns a text of the maximum length whole', 'one two', 7, 'one two'],
  ['cuts after the last whole word', 'one two three', 10, 'one two…'],
  ['keeps a word that ends at the limit', 'one two three', 8, 'one two…'],
  ['removes the white space before the mark', 'one two \n three', 10, 'one two…'],
  ['cuts a text without white space inside its word', 'abcdefgh', 5, 'abcd…'],
  ['counts code points', '🦜🦜🦜🦜', 3, '🦜🦜…'],
  ['leaves out a begun word of 60 characters', `one ${'x'.repeat(90)}`, 65, 'one…'],
  ['cuts a word inside after more than 60 characters', `one ${'x'.repeat(90)}`, 66, `one ${'x'.repeat(61)}…`],
])('%s', (_name, text, most, shown) => {
  expect(firstWords(text, most)).toBe(shown);
});

test('counts a longer mark', () => {
  expect(firstWords('one two three', 9, ' …')).toBe('one two …');
});
