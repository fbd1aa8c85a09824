import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isSessionId,
  mintSecret,
  randomText,
  sessionIdInSecret,
  sessionOfSecret,
} from '../../../src/kernel/token/token.ts';

const KEY = '0f'.repeat(32);
const SESSION = '3QbT0000000000000000aZ';
const sevens = (length: number): Uint8Array => new Uint8Array(length).fill(7);
const token = mintSecret('prt_', SESSION, sevens, KEY);
const open = (text: string): string | null => sessionOfSecret('prt_', text, KEY);

test('the form of a token is frozen', () => {
  expect(token).toEqual({
    text: `prt_${'7'.repeat(43)}3QbT0000000000000000aZHzORWd`,
    hash: '2fa80a690fd7f55b08e8e2c59edb8a78c5b144412473daa932a5452105460c6a',
    shown: 'prt_777777',
  });
});

test('codes have the same form with another prefix and another checksum', () => {
  const code = mintSecret('pinv_', SESSION, sevens, KEY);
  expect(code.text).toMatch(/^pinv_[0-9A-Za-z]{71}$/);
  expect(code.shown).toBe('pinv_77777');
  expect(sessionOfSecret('pinv_', code.text, KEY)).toBe(SESSION);
  expect(open(code.text)).toBeNull();
  expect(open(code.text.replace('pinv_', 'prt_'))).toBeNull();
});

test('a token names its session to the installation that made it', () => {
  expect(open(token.text)).toBe(SESSION);
  expect(sessionOfSecret('prt_', token.text, '1f'.repeat(32))).toBeNull();
  expect(sessionOfSecret('pinv_', token.text, KEY)).toBeNull();
});

test('the session id of a text in the form of a token is read without the key', () => {
  expect(sessionIdInSecret('prt_', token.text)).toBe(SESSION);
  expect(sessionIdInSecret('prt_', `prt_${'8'.repeat(43)}${SESSION}000000`)).toBe(SESSION);
  expect(sessionIdInSecret('pinv_', token.text)).toBeNull();
  expect(sessionIdInSecret('prt_', `${token.text}0`)).toBeNull();
  expect(sessionIdInSecret('prt_', token.text.replace('3QbT', '3Qb-'))).toBeNull();
});

test('a session id has 22 letters of the alphabet', () => {
  expect(isSessionId(SESSION)).toBe(true);
  expect(isSessionId(SESSION.slice(1))).toBe(false);
  expect(isSessionId(SESSION.replace('Z', '_'))).toBe(false);
  expect(isSessionId(token.text)).toBe(false);
});

test('a token with a changed or missing character does not belong to the installation', () => {
  for (let at = 0; at < token.text.length; at += 1) {
    const other = token.text[at] === 'x' ? 'y' : 'x';
    expect(open(token.text.slice(0, at) + other + token.text.slice(at + 1))).toBeNull();
    expect(open(token.text.slice(0, at) + token.text.slice(at + 1))).toBeNull();
    expect(open(token.text.slice(0, at))).toBeNull();
    expect(open(token.text.slice(at + 1))).toBeNull();
  }
  expect(open(`${token.text}0`)).toBeNull();
  expect(open(` ${token.text}`)).toBeNull();
});

test('characters that differ only in their high byte are different characters', () => {
  for (let at = token.text.length - 6; at < token.text.length; at += 1) {
    const twin = String.fromCharCode(token.text.charCodeAt(at) + 256);
    expect(open(token.text.slice(0, at) + twin + token.text.slice(at + 1))).toBeNull();
  }
});

test('a real session id and checksum after forged letters are refused', () => {
  expect(open(`prt_${'8'.repeat(43)}${token.text.slice(-28)}`)).toBeNull();
  expect(open(token.text.replace('3QbT', '3QbU'))).toBeNull();
});

test('no text makes the reader throw', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'binary', minLength: 71, maxLength: 71 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 71, maxLength: 71 })
      .map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(open(text)).toBeNull();
      expect(open(`prt_${text}`)).toBeNull();
      expect(open(token.text.slice(0, -6) + text.slice(0, 6))).toBe(
        text.slice(0, 6) === token.text.slice(-6) ? SESSION : null,
      );
    }),
    { numRuns: 2_000 },
  );
});

test('every random source gives texts of the alphabet and of the requested length', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 247 })), fc.nat(60), (bytes, length) => {
      const random = (count: number): Uint8Array => Uint8Array.from(bytes.take(count));
      expect(randomText(random, length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }),
  );
});

test('bytes that would make some letters more probable are replaced', () => {
  const rounds = [
    [248, 255, 0, 61],
    [247, 62],
  ];
  const asked: number[] = [];
  const random = (length: number): Uint8Array => {
    asked.push(length);
    return Uint8Array.from(rounds.shift() ?? []);
  };
  expect(randomText(random, 4)).toBe('0zz0');
  expect(asked).toHaveLength(2);
});
