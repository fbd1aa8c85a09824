import { createHmac } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

export type CookieCipher = ReturnType<typeof createCookieCipher>;

/**
 * Encrypts small values for cookies, as JWTs. A browser can neither read nor change such a value. Every process with the same
 * secret can decrypt it.
 *
 * @param secret the secret that signs the cookies; the key of the encryption is derived from it
 * @param now returns the current time in milliseconds since 1970
 */
export function createCookieCipher(secret: Uint8Array, now: () => number) {
  const key = createHmac('sha256', secret).update('parley sealed cookie').digest();
  return {
    /** Encrypts a value. `decrypt` returns it only for the same purpose, and until the lifetime has passed. */
    encrypt: (purpose: string, value: object, lifetimeMs: number): Promise<string> =>
      new EncryptJWT({ value })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setExpirationTime(new Date(now() + lifetimeMs))
        .encrypt(key),
    /** Returns the value. Undefined if the text was not encrypted with this secret for this purpose, or its lifetime has passed. */
    decrypt: (purpose: string, text: string): Promise<unknown> =>
      jwtDecrypt(text, key, {
        audience: purpose,
        currentDate: new Date(now()),
        requiredClaims: ['exp'],
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }).then(
        ({ payload }) => payload.value,
        () => undefined,
      ),
  };
}
