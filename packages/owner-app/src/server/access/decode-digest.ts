/** Decodes a base64url text to exactly 32 bytes, because `timingSafeEqual` throws if its arguments differ in length. */
export function decodeDigest(text: string): Uint8Array {
  const bytes = Buffer.alloc(32);
  Buffer.from(text, 'base64url').copy(bytes);
  return bytes;
}
