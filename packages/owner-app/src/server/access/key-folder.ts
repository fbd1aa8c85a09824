import { createHmac, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseOrNull } from '@parley/core/json';
import { z } from 'zod';
import {
  checkDigest,
  checkKnownKey,
  findKeyFault,
  HASH_FILE,
  KEY_FILE,
  type KeyCheck,
  makeOwnerKey,
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
