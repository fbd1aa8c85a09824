import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TOKEN_PREFIX_CHARS } from '../limits.ts';
import { sha256Hex } from '../text/hash.ts';
import { type Bucket, bucketOf } from './rate-windows.ts';

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

/** The facts that the text of a token contains. */
export interface TokenFacts {
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  /** The bucket in which requests with this token are counted. */
  readonly bucket: Bucket;
  /** The session of the token. Null if this installation did not issue the token. */
  readonly sessionId: string | null;
}

/**
 * Maximum number of tokens whose facts are cached. The least recently used facts are removed and computed again when they are
 * needed.
 */
const MAX_TOKENS = 20_000;

/**
 * Returns a function that reads the facts in the text of a token. The facts of tokens that this installation issued are cached,
 * because computing hash and checksum takes longer than finding the session. Facts of forged tokens are not cached, so they evict
 * no entry.
 *
 * @param key the secret of the installation
 */
export function createTokenReader(key: string): (token: string) => TokenFacts {
  const known = new LRUCache<string, TokenFacts>({ maxSize: MAX_TOKENS, sizeCalculation: () => 1 });
  return (token) => {
    const remembered = known.get(token);
    if (remembered) return remembered;
    const tokenHash = sha256Hex(token);
    const facts = { tokenHash, bucket: bucketOf('token', tokenHash), sessionId: sessionOfSecret('prt_', token, key) };
    if (facts.sessionId !== null) known.set(token, facts);
    return facts;
  };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with AES-256-GCM. @param key 32 bytes */
export function seal(key: Uint8Array, random: RandomBytes, text: string): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what `seal` has encrypted. @throws Error if the key is another one, or the text was changed */
export function unseal(key: Uint8Array, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return plain.toString('utf8');
}
