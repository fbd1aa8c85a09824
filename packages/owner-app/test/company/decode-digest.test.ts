import { expect, test } from 'vitest';
import { decodeDigest } from '../../src/server/access/decode-digest.ts';

const hexOf = (text: string): string => Buffer.from(decodeDigest(text)).toString('hex');

test.each([
  ['a text of 32 bytes', '__________________________________________8', 'f'.repeat(64)],
  ['a shorter text, which is filled up with zeros', '_w', `ff${'0'.repeat(62)}`],
  ['a longer text, which is cut', '_'.repeat(48), 'f'.repeat(64)],
  ['an empty text', '', '0'.repeat(64)],
  ['a text that is not base64url', '!!', '0'.repeat(64)],
])('decodes %s', (_what, text, hex) => {
  expect(hexOf(text)).toBe(hex);
});
