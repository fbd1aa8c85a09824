import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { parseOrNull } from '@parley/core';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts small values for cookies. A browser can neither read nor change such a value. Every process with the same
 * secret can decrypt it.
 */
export interface Seal {
  /**
   * Encrypts a value.
   *
   * @param purpose `open` decrypts the value only for the same purpose
   * @param lifetimeMs milliseconds after which `open` does not return the value any more
   */
  seal(purpose: string, value: unknown, lifetimeMs: number): string;
  /**
   * Returns the decrypted value. Undefined if the text was not encrypted with this secret for this purpose, or if its
   * lifetime is over.
   */
  open(purpose: string, text: string): unknown;
}

/**
 * Creates a seal with AES-256-GCM. The AES key is derived from the secret that signs the cookies.
 *
 * @param now returns the current time in milliseconds since 1970
 */
export function createSeal(secret: Uint8Array, now: () => number): Seal {
  const key = createHmac('sha256', secret).update('parley sealed cookie').digest();
  return {
    seal(purpose, value, lifetimeMs) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const text = JSON.stringify({ value, expires: now() + lifetimeMs });
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(purpose, text) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        const { value, expires } = Object(parseOrNull(plain.toString('utf8')));
        return Number(expires) > now() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
