import { createHmac, randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkKnownKey, checkStoredKey, hashOwnerKey, type KeyCheck, makeOwnerKey } from './owner-key.ts';

/** The key itself, for the `parley` command on this machine; whoever keeps it elsewhere may delete the file. */
export const KEY_FILE = 'owner-key';
export const HASH_FILE = 'owner-key.json';

const Hex = z.string().regex(/^[0-9a-f]{32,128}$/);
const StoredKey = z.object({ salt: Hex, hash: Hex, cookie_secret: Hex });

/** What the owner's side needs to let the owner in. */
export interface OwnerKey {
  readonly check: KeyCheck;
  readonly cookieSecret: Uint8Array;
  /** The key in plain, on the start that made it. */
  readonly made?: string;
}

/**
 * Finds the owner key of a server: the given one, else the stored hash, else a new key whose hash and text
 * are written to the data folder with mode 600.
 */
export async function openOwnerKey(dataFolder: string, given?: string): Promise<OwnerKey> {
  if (given)
    return { check: checkKnownKey(given), cookieSecret: createHmac('sha256', given).update('parley cookie').digest() };
  const text = await readIfThere(join(dataFolder, HASH_FILE));
  return text === undefined ? makeKey(dataFolder) : readKey(text, join(dataFolder, HASH_FILE));
}

function readKey(text: string, path: string): OwnerKey {
  const stored = StoredKey.safeParse(parseOrNull(text));
  if (!stored.success) throw new Error(`${path} is damaged; delete it and start again to get a new owner key`);
  return { check: checkStoredKey(stored.data), cookieSecret: Buffer.from(stored.data.cookie_secret, 'hex') };
}

async function makeKey(dataFolder: string): Promise<OwnerKey> {
  const key = makeOwnerKey();
  const cookieSecret = randomBytes(32);
  const stored = { ...(await hashOwnerKey(key)), cookie_secret: cookieSecret.toString('hex') };
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writePrivate(join(dataFolder, KEY_FILE), `${key}\n`);
  await writePrivate(join(dataFolder, HASH_FILE), `${JSON.stringify(stored)}\n`);
  return { check: checkKnownKey(key), cookieSecret, made: key };
}

/** Replaces the file in one step; nobody else can read it at any moment. */
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

/** The owner key that the first start left in a data folder, or undefined. */
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

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
