import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { parseOrNull } from '@parley/core';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals small values for cookies. A browser can neither read nor change a sealed value. Every process that has the same secret
 * can open it.
 */
export interface Seal {
  /**
   * Encrypts a value.
   *
   * @param purpose a value can be opened only for the purpose for which it was sealed
   * @param lifetimeMs milliseconds after which the value can no longer be opened
   */
  seal(purpose: string, value: unknown, lifetimeMs: number): string;
  /**
   * Returns the sealed value. Undefined if the text was not sealed with this secret for this purpose, or if its lifetime is over.
   */
  open(purpose: string, text: string): unknown;
}

/**
 * Creates a seal with AES-256-GCM. Its key is derived from the secret that signs the cookies.
 *
 * @param now returns the current time in milliseconds since the epoch
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
