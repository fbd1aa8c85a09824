import { createHmac, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FIRST_ACCOUNT, FIRST_PERSON, fail, type People, type SignedInPerson } from '@parley/core';
import { parseOrNull } from '@parley/core/json';
import { z } from 'zod';
import {
  checkDigest,
  checkKnownKey,
  findKeyFault,
  HASH_FILE,
  KEY_FILE,
  type KeyCheck,
  MADE_KEY_FORM,
  makeOwnerKey,
  OWNER_KEY_FORM,
  readRegularFile,
  sha256,
} from './owner-key.ts';

const Hex = z.string().regex(/^[0-9a-f]{64}$/);
/**
 * The content of the file with the hash of the owner key. Keys in a data folder are generated, so their SHA-256 can be
 * stored safely.
 */
const StoredKey = z.object({ sha256: Hex, cookie_secret: Hex });
type StoredKey = z.infer<typeof StoredKey>;

/**
 * What a server needs of the owner key: a function that checks a text against the key, and the secret that signs
 * cookies.
 */
export interface OwnerKey {
  readonly check: KeyCheck;
  readonly cookieSecret: Uint8Array;
  /** The owner key in plain text. Present only if this start has created the key. */
  readonly made?: string;
  /** The file that says which key is valid, and when it was written. Present only if an earlier start has created the key. */
  readonly kept?: { readonly file: string; readonly writtenAt: Date };
}

/**
 * Opens the given owner key, or else the key whose hash is in the data folder. If there is neither, creates a key, and
 * writes the key and its hash to the data folder with mode 600.
 *
 * @throws Error if the file with the hash is damaged; if other users can read the key or put another in its place
 */
export async function openOwnerKey(dataFolder: string, given?: string): Promise<OwnerKey> {
  if (given)
    return { check: checkKnownKey(given), cookieSecret: createHmac('sha256', given).update('parley cookie').digest() };
  const fault = await findKeyFault(dataFolder);
  if (fault)
    throw new Error(
      `The owner key in the data folder is not safe: ${fault.found}. ${fault.advice} Or set PARLEY_OWNER_KEY; then these files are not used.`,
    );
  const text = await readRegularFile(join(dataFolder, HASH_FILE));
  return text === undefined ? makeKey(dataFolder) : readKey(text, dataFolder);
}

async function readKey(text: string, dataFolder: string): Promise<OwnerKey> {
  const { success, data } = StoredKey.safeParse(parseOrNull(text));
  if (!success)
    throw new Error(
      `${join(dataFolder, HASH_FILE)} is damaged. Delete this file and start the server again to get a new owner key.`,
    );
  const file = join(dataFolder, HASH_FILE);
  const { mtime: writtenAt } = await stat(file);
  const check = checkDigest(Buffer.from(data.sha256, 'hex'), true);
  return { check, cookieSecret: Buffer.from(data.cookie_secret, 'hex'), kept: { file, writtenAt } };
}

async function makeKey(dataFolder: string): Promise<OwnerKey> {
  const key = makeOwnerKey();
  const cookieSecret = randomBytes(32);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writePrivate(join(dataFolder, KEY_FILE), `${key}\n`);
  await writeStored(dataFolder, {
    sha256: sha256(key).toString('hex'),
    cookie_secret: cookieSecret.toString('hex'),
  });
  return { check: checkDigest(sha256(key), true), cookieSecret, made: key };
}

/** Ends every sign-in with the owner key whose hash is in the data folder. The key stays valid. Does nothing without such a key. */
export async function endSignIns(dataFolder: string): Promise<void> {
  const { success, data } = StoredKey.safeParse(
    parseOrNull((await readRegularFile(join(dataFolder, HASH_FILE))) ?? ''),
  );
  if (success) await writeStored(dataFolder, { ...data, cookie_secret: randomBytes(32).toString('hex') });
}

const writeStored = (dataFolder: string, stored: StoredKey): Promise<void> =>
  writePrivate(join(dataFolder, HASH_FILE), `${JSON.stringify(stored)}\n`);

/** Replaces a file atomically. Other users of the machine cannot read the file, not even while the file is written. */
async function writePrivate(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await chmod(`${path}.new`, 0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Counts wrong owner keys by client address, in fixed windows of a minute.
 *
 * @param limit number of wrong keys that an address may send in a minute
 * @param now returns the current time in milliseconds since 1970
 */
function createWrongKeyLimit(limit: number, now: () => number) {
  const tries = new Map<string, number>();
  let window = -1;

  const turnWindow = () => {
    const current = Math.floor(now() / WINDOW_MS);
    if (current !== window) tries.clear();
    window = current;
  };

  return {
    /**
     * Counts an attempt. Called before the key is checked, so that simultaneous attempts are all counted.
     *
     * @throws ParleyError RATE_LIMITED if the address has used up its attempts in this minute
     */
    begin(address: string): void {
      turnWindow();
      const count = tries.get(address) ?? (tries.size < MAX_ADDRESSES ? 0 : limit);
      if (count >= limit) refuseTooMany((window + 1) * WINDOW_MS - now());
      tries.set(address, count + 1);
    },
    /** Removes an attempt from the count, because its key was right. */
    forgive(address: string): void {
      const count = tries.get(address) ?? 0;
      if (count > 1) tries.set(address, count - 1);
      else tries.delete(address);
    },
  };
}

function refuseTooMany(remainingMs: number): never {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return fail('RATE_LIMITED', `Too many wrong owner keys; try again in ${seconds} s.`, {
    retry_after_seconds: seconds,
  });
}

const WRONG_KEYS_PER_MINUTE = 10;

export const FIRST_HOLDER: SignedInPerson = { ...FIRST_PERSON, accountId: FIRST_ACCOUNT.id };

interface KeyCheckParts {
  readonly ownerKey: OwnerKey;
  readonly people?: Pick<People, 'withKey'> | undefined;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Returns a function that finds the person to whom a key belongs, and throws for any other text. Each address may send
 * a limited number of wrong texts in a minute. The limit protects keys that can be guessed: a generated owner key and
 * the keys of people are accepted however many wrong texts the address has sent.
 */
export function createKeyCheck({
  ownerKey: { check },
  people,
  now,
}: KeyCheckParts): (address: string, text: string) => Promise<SignedInPerson> {
  const wrongKeys = createWrongKeyLimit(WRONG_KEYS_PER_MINUTE, now);
  const personWith = async (text: string): Promise<SignedInPerson | undefined> =>
    MADE_KEY_FORM.test(text) ? await people?.withKey(text) : undefined;
  return async (address, text) => {
    if (text.startsWith('prt_')) refuseToken();
    if (!OWNER_KEY_FORM.test(text)) refuseKey();
    if (check.isGenerated && check.matches(text)) return FIRST_HOLDER;
    const person = await personWith(text);
    if (person) return person;
    wrongKeys.begin(address);
    // Without a pause after `begin`, so that simultaneous requests with the right key do not use up the limit.
    if (check.isGenerated || !check.matches(text)) return refuseKey();
    wrongKeys.forgive(address);
    return FIRST_HOLDER;
  };
}

const refuseKey = (): never => refuse('The owner key is wrong.');

const refuseToken = (): never =>
  fail('UNAUTHORIZED', 'The token of an agent (prt_...) was sent in place of the owner key (pok_...).', {
    hint: 'These routes are for the owner. Agents call the API whose address ends in /api/public/agent, or the one that ends in /api/public/mcp.',
  });

export function bearerOf(headers: readonly string[]): string {
  const [, text] = headers.length === 1 ? (/^Bearer (\S+)$/.exec(headers[0] ?? '') ?? []) : [];
  return text ?? refuse('The Authorization header must have the form "Bearer pok_...".');
}

const refuse = (message: string): never => fail('UNAUTHORIZED', message);

/** Matches 32 bytes in base64url. */
const FORM = /^[\w-]{43}$/;

/**
 * Decodes a base64url text to 32 bytes, because `timingSafeEqual` throws if its arguments differ in length. A text of
 * another form, such as two values of a header that was sent twice, is decoded to zeros.
 */
export function decodeDigest(text: string): Uint8Array {
  return FORM.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(32);
}
