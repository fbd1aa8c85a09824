import { EncryptJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createCookieCipher } from '../../src/server/api/sign-in.ts';

const SECRET = new Uint8Array(32).fill(7);
const cipherAt = (ms: number, secret = SECRET) => createCookieCipher(secret, () => ms);

describe('an encrypted value', () => {
  test('is decrypted at every process with the same secret, for the same purpose, until it is too old', async () => {
    const text = await cipherAt(1_000).encrypt('ticket', { a: 'é' }, 5_000);
    expect(text).toMatch(/^[\w.-]+$/);
    expect(await cipherAt(5_999).decrypt('ticket', text)).toEqual({ a: 'é' });
    expect(await cipherAt(5_999).decrypt('other', text)).toBeUndefined();
    expect(await cipherAt(1_000, new Uint8Array(32).fill(8)).decrypt('ticket', text)).toBeUndefined();
    expect(await cipherAt(6_000).decrypt('ticket', text)).toBeUndefined();
  });

  test('is not decrypted after any change of a byte', async () => {
    const parts = (await cipherAt(0).encrypt('ticket', { a: 1 }, 1_000)).split('.');
    for (const [part, encoded] of parts.entries()) {
      const bytes = Buffer.from(encoded, 'base64url');
      for (let index = 0; index < bytes.length; index += 1) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
        const text = parts.with(part, changed.toString('base64url')).join('.');
        expect(await cipherAt(0).decrypt('ticket', text)).toBeUndefined();
      }
    }
  });

  test.each(['', 'x', 'A'.repeat(38), 'A'.repeat(5_000), '%', '\u0000', 'a.b.c.d.e'])('is not %j', async (text) => {
    expect(await cipherAt(0).decrypt('ticket', text)).toBeUndefined();
  });

  test('is not one of another algorithm', async () => {
    const token = new EncryptJWT({ value: {} }).setAudience('ticket').setExpirationTime(9);
    const text = await token.setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM' }).encrypt(SECRET);
    expect(await cipherAt(0).decrypt('ticket', text)).toBeUndefined();
  });
});
