import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** 16 MiB and about 50 ms: the key is random, so this only slows down whoever stole the file and had a weak key set. */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

/** An owner key as it may be stored. All members are lower-case hex. */
export interface OwnerKeyHash {
  readonly salt: string;
  readonly hash: string;
}

/** What a text must look like to be worth checking. */
export const OWNER_KEY_FORM = /^pok_[A-Za-z0-9_-]{32,200}$/;

/** A new key with 256 random bits. */
export const makeOwnerKey = (): string => `pok_${randomBytes(32).toString('base64url')}`;

export async function hashOwnerKey(key: string): Promise<OwnerKeyHash> {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), hash: (await derive(key, salt)).toString('hex') };
}

async function matchesHash(key: string, stored: OwnerKeyHash): Promise<boolean> {
  const expected = Buffer.from(stored.hash, 'hex');
  const derived = await derive(key, Buffer.from(stored.salt, 'hex'));
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

const derive = (key: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(key, salt, HASH_BYTES, COST, (error, derived) => (error ? reject(error) : resolve(derived)));
  });

/** Whether a text is the owner key. */
export interface KeyCheck {
  /** Decided without scrypt; `undefined` when only scrypt can tell. */
  known(text: string): boolean | undefined;
  verify(text: string): Promise<boolean>;
}

/** A check that knows the key: it holds the SHA-256 alone. */
export function checkKnownKey(key: string): KeyCheck {
  const digest = sha256(key);
  const known = (text: string) => timingSafeEqual(sha256(text), digest);
  return { known, verify: async (text) => known(text) };
}

/**
 * A check that starts from the stored hash. scrypt runs until the key was seen once, one text at a time;
 * from then on its SHA-256 decides alone, for right and wrong texts.
 */
export function checkStoredKey(stored: OwnerKeyHash): KeyCheck {
  let seen: KeyCheck | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const known = (text: string) => (OWNER_KEY_FORM.test(text) ? seen?.known(text) : false);
  const derived = async (text: string): Promise<boolean> => {
    const answer = known(text);
    if (answer !== undefined) return answer;
    if (!(await matchesHash(text, stored))) return false;
    seen = checkKnownKey(text);
    return true;
  };
  const verify = (text: string): Promise<boolean> => {
    const turn = queue.then(() => derived(text));
    queue = turn.catch(() => undefined);
    return turn;
  };
  return { known, verify };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
