/** Matches 32 bytes in base64url. */
const FORM = /^[\w-]{43}$/;

/**
 * Decodes a base64url text to 32 bytes, because `timingSafeEqual` throws if its arguments differ in length. A text of
 * another form, such as two values of a header that was sent twice, is decoded to zeros.
 */
export function decodeDigest(text: string): Uint8Array {
  return FORM.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(32);
}
