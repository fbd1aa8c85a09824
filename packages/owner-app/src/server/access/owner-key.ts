import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Parameters of scrypt. With these, hashing a key once takes 16 MiB of memory and about 50 ms. */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

/**
 * The scrypt hash of an owner key. Key files of earlier versions contain this hash in place of a SHA-256. All members
 * are lower-case hexadecimal.
 */
export interface OwnerKeyHash {
  readonly salt: string;
  readonly hash: string;
}

/** The form of an owner key. A text of another form is refused without a comparison. */
export const OWNER_KEY_FORM = /^pok_[A-Za-z0-9_-]{32,200}$/;

/** The form of a generated key. Keys of people are always generated. */
export const MADE_KEY_FORM = /^pok_[A-Za-z0-9_-]{43}$/;

/** Creates a key with 256 random bits. */
export const makeOwnerKey = (): string => `pok_${randomBytes(32).toString('base64url')}`;

const HEX = /^[0-9a-f]{32,}$/;
const BASE64URL = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{43}$/;

/**
 * Whether a key looks generated. Such a key has at least 32 hexadecimal digits or 43 characters of base64url, and about
 * as many different characters as a random text.
 */
function isGenerated(key: string): boolean {
  const text = key.slice('pok_'.length);
  const digits = text.replaceAll('-', '');
  return (HEX.test(digits) && new Set(digits).size >= 8) || (BASE64URL.test(text) && new Set(text).size >= 20);
}

export async function hashOwnerKey(key: string): Promise<OwnerKeyHash> {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), hash: (await derive(key, salt)).toString('hex') };
}

export async function matchesHash(key: string, stored: OwnerKeyHash): Promise<boolean> {
  const expected = Buffer.from(stored.hash, 'hex');
  const derived = await derive(key, Buffer.from(stored.salt, 'hex'));
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

const derive = (key: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(key, salt, HASH_BYTES, COST, (error, derived) => (error ? reject(error) : resolve(derived)));
  });

export interface KeyCheck {
  /**
   * True if the key cannot be guessed. The right key is then accepted even from an address that has sent too many wrong
   * keys.
   */
  readonly isGenerated: boolean;
  /** Whether the text is the key. `undefined` if only scrypt can find out. */
  known(text: string): boolean | undefined;
  verify(text: string): Promise<boolean>;
}

/** Creates the check for a key that is known in plain text. */
export const checkKnownKey = (key: string): KeyCheck => checkDigest(sha256(key), isGenerated(key));

/** Creates the check for a key whose SHA-256 is known. */
export function checkDigest(digest: Buffer, isGenerated: boolean): KeyCheck {
  const known = (text: string) => timingSafeEqual(sha256(text), digest);
  return { isGenerated, known, verify: async (text) => known(text) };
}

/**
 * Creates the check for a generated key of which only the scrypt hash is known. Scrypt runs for each text, one text at
 * a time, until the right key arrives; then SHA-256 hashes are compared.
 *
 * @param onSeen called once with the SHA-256 of the key
 */
export function checkScryptKey(stored: OwnerKeyHash, onSeen: (digest: Buffer) => void): KeyCheck {
  let seen: KeyCheck | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const known = (text: string) => (OWNER_KEY_FORM.test(text) ? seen?.known(text) : false);
  const derived = async (text: string): Promise<boolean> => {
    const answer = known(text);
    if (answer !== undefined) return answer;
    if (!(await matchesHash(text, stored))) return false;
    const digest = sha256(text);
    seen = checkDigest(digest, true);
    onSeen(digest);
    return true;
  };
  const verify = (text: string): Promise<boolean> => {
    const result = queue.then(() => derived(text));
    queue = result.catch(() => undefined);
    return result;
  };
  return { isGenerated: true, known, verify };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
