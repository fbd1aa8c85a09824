import { createHmac, timingSafeEqual } from 'node:crypto';
import { TOKEN_PREFIX_CHARS } from '../limits.ts';
import { sha256Hex } from '../text/sha256.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 43;
const CHECKSUM_CHARS = 6;
export const SESSION_ID_CHARS = 22;

/**
 * The first characters of a secret. `prt_`: a token, with which an agent accesses its session. `pinv_`: an invitation code,
 * which an agent exchanges for one token.
 */
export type SecretPrefix = 'prt_' | 'pinv_';

/** A bearer secret. Store only `hash` and `shown`. */
export interface Secret {
  readonly text: string;
  /** SHA-256 of the secret, hex. */
  readonly hash: string;
  readonly shown: string;
}

/** A source of random bytes. Functions take it as a parameter, so that a simulation can be repeated with the same bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** Random base62 text. Discards bytes that would make some letters more probable than others. */
export function randomText(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    const letters = Array.from(random(length), (byte) => (byte < 248 ? (ALPHABET[byte % 62] ?? '') : ''));
    text += letters.join('');
  }
  return text.slice(0, length);
}

const describeSecret = (text: string): Secret => ({
  text,
  hash: sha256Hex(text),
  shown: text.slice(0, TOKEN_PREFIX_CHARS),
});

/**
 * Makes a secret: the prefix, 43 random letters, the 22 letters of the session id, and a keyed checksum of 6 letters. All
 * letters are base62.
 */
export function mintSecret(prefix: SecretPrefix, sessionId: string, random: RandomBytes, key: string): Secret {
  const body = `${prefix}${randomText(random, SECRET_CHARS)}${sessionId}`;
  return describeSecret(body + checksum(body, key));
}

const BASE62 = /^[0-9A-Za-z]+$/;

/** Whether a text has the form of a session id: 22 letters or digits. */
export const isSessionId = (text: string): boolean => text.length === SESSION_ID_CHARS && BASE62.test(text);

/**
 * The session id in a text that has the form of a secret; null for another text. Does not verify the checksum: anybody can
 * write such a text.
 */
export function sessionIdInSecret(prefix: SecretPrefix, text: string): string | null {
  const letters = text.slice(prefix.length);
  if (!text.startsWith(prefix) || letters.length !== SECRET_CHARS + SESSION_ID_CHARS + CHECKSUM_CHARS) return null;
  return BASE62.test(letters) ? letters.slice(SECRET_CHARS, -CHECKSUM_CHARS) : null;
}

/**
 * The session id of a secret; null if this installation did not issue the secret. Verifies the checksum, and needs no query.
 */
export function sessionOfSecret(prefix: SecretPrefix, text: string, key: string): string | null {
  const sessionId = sessionIdInSecret(prefix, text);
  if (sessionId === null) return null;
  const body = text.slice(0, -CHECKSUM_CHARS);
  const isOurs = timingSafeEqual(Buffer.from(checksum(body, key)), Buffer.from(text.slice(-CHECKSUM_CHARS)));
  return isOurs ? sessionId : null;
}

function checksum(body: string, key: string): string {
  const digest = createHmac('sha256', key).update(body).digest();
  return Array.from(digest.subarray(0, CHECKSUM_CHARS), (byte) => ALPHABET[byte % 62] ?? '').join('');
}
