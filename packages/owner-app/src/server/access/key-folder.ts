import { createHmac, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { parseOrNull } from '@parley/core';
import { z } from 'zod';
import {
  checkDigest,
  checkKnownKey,
  checkScryptKey,
  hashOwnerKey,
  type KeyCheck,
  makeOwnerKey,
  matchesHash,
  sha256,
} from './owner-key.ts';

/**
 * The file with the key in plain text. The `parley` command on this machine reads it. It may be deleted if the key is stored
 * elsewhere.
 */
export const KEY_FILE = 'owner-key';
export const HASH_FILE = 'owner-key.json';

const Hex = z.string().regex(/^[0-9a-f]{32,128}$/);
/** The content of the file with the hash. Earlier versions wrote no `sha256` and read `salt` and `hash`. */
const StoredKey = z.object({ salt: Hex, hash: Hex, sha256: Hex.length(64).optional(), cookie_secret: Hex });
type StoredKey = z.infer<typeof StoredKey>;

/** The owner key, in the form in which the owner's routes check it. */
export interface OwnerKey {
  readonly check: KeyCheck;
  readonly cookieSecret: Uint8Array;
  /** The key in plain text. Present only on the start that created the key. */
  readonly made?: string;
}

/**
 * Finds the owner key of a server. The key given to this function is used first, then the hash stored in the data folder. If
 * there is neither, makes a new key, and writes it and its hash to the data folder with mode 600.
 */
export async function openOwnerKey(dataFolder: string, given?: string): Promise<OwnerKey> {
  if (given)
    return { check: checkKnownKey(given), cookieSecret: createHmac('sha256', given).update('parley cookie').digest() };
  const text = await readIfThere(join(dataFolder, HASH_FILE));
  return text === undefined ? makeKey(dataFolder) : readKey(text, dataFolder);
}

async function readKey(text: string, dataFolder: string): Promise<OwnerKey> {
  const { success, data } = StoredKey.safeParse(parseOrNull(text));
  if (!success)
    throw new Error(`${join(dataFolder, HASH_FILE)} is damaged; delete it and start again to get a new owner key`);
  return { check: await checkOf(data, dataFolder), cookieSecret: Buffer.from(data.cookie_secret, 'hex') };
}

/**
 * Makes the check of a stored key. A key in a data folder is always a generated one, so its SHA-256 may be stored too. A file
 * without it gets it once the key is known.
 */
async function checkOf(stored: StoredKey, dataFolder: string): Promise<KeyCheck> {
  if (stored.sha256) return checkDigest(Buffer.from(stored.sha256, 'hex'), true);
  const keep = (digest: Buffer): Promise<void> =>
    // Errors are ignored. If the folder cannot be written, only this follows: scrypt runs once after each start.
    writeStored(dataFolder, { ...stored, sha256: digest.toString('hex') }).catch(() => undefined);
  const key = await readKeyFile(dataFolder);
  if (key === undefined || !(await matchesHash(key, stored)))
    return checkScryptKey(stored, (digest) => void keep(digest));
  await keep(sha256(key));
  return checkDigest(sha256(key), true);
}

async function makeKey(dataFolder: string): Promise<OwnerKey> {
  const key = makeOwnerKey();
  const cookieSecret = randomBytes(32);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writePrivate(join(dataFolder, KEY_FILE), `${key}\n`);
  await writeStored(dataFolder, {
    ...(await hashOwnerKey(key)),
    sha256: sha256(key).toString('hex'),
    cookie_secret: cookieSecret.toString('hex'),
  });
  return { check: checkDigest(sha256(key), true), cookieSecret, made: key };
}

const writeStored = (dataFolder: string, stored: StoredKey): Promise<void> =>
  writePrivate(join(dataFolder, HASH_FILE), `${JSON.stringify(stored)}\n`);

/** Replaces a file atomically. Other users can never read it. */
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

/** The owner key in plain text, as the first start wrote it to the data folder. Undefined if the file does not exist. */
export async function readKeyFile(dataFolder: string): Promise<string | undefined> {
  return (await readIfThere(join(dataFolder, KEY_FILE)))?.trim();
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
