import { describe, expect, test } from 'vitest';
import { createSeal } from '../../src/server/company/seal.ts';

const SECRET = new Uint8Array(32).fill(7);

describe('a sealed value', () => {
  test('opens at every process with the same secret, for the same purpose, until it is too old', () => {
    let now = 1_000;
    const seal = createSeal(SECRET, () => now);
    const text = seal.seal('ticket', { a: 'é' }, 5_000);
    expect(text).toMatch(/^[\w-]+$/);
    expect(createSeal(SECRET, () => 5_999).open('ticket', text)).toEqual({ a: 'é' });
    expect(seal.open('other', text)).toBeUndefined();
    expect(createSeal(new Uint8Array(32).fill(8), () => now).open('ticket', text)).toBeUndefined();
    now = 6_000;
    expect(seal.open('ticket', text)).toBeUndefined();
  });

  test('does not open after any change of a byte', () => {
    const seal = createSeal(SECRET, () => 0);
    const bytes = Buffer.from(seal.seal('ticket', 'x', 1), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(seal.open('ticket', changed.toString('base64url'))).toBeUndefined();
    }
  });

  test.each(['', 'x', 'A'.repeat(38), 'A'.repeat(5_000), '%', '\u0000'])('is not %j', (text) => {
    expect(createSeal(SECRET, () => 0).open('ticket', text)).toBeUndefined();
  });
});
