import { expect, test } from 'vitest';
import { decodeDigest } from '../../src/server/access/key-check.ts';

const hexOf = (text: string): string => Buffer.from(decodeDigest(text)).toString('hex');

test.each([
  ['a text of 32 bytes', '__________________________________________8', 'f'.repeat(64)],
  ['a shorter text', '_w', '0'.repeat(64)],
  ['a longer text', '_'.repeat(48), '0'.repeat(64)],
  [
    'a text that was sent twice',
    '__________________________________________8, __________________________________________8',
    '0'.repeat(64),
  ],
  ['an empty text', '', '0'.repeat(64)],
  ['a text that is not base64url', '!!', '0'.repeat(64)],
])('decodes %s', (_what, text, hex) => {
  expect(hexOf(text)).toBe(hex);
});
