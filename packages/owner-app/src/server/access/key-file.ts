import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file with the owner key in plain text, for commands on this machine. Users may delete this file if they have
 * stored the key elsewhere.
 */
export const KEY_FILE = 'owner-key';

/** The file with the hash of the owner key and the secret that signs cookies. */
export const HASH_FILE = 'owner-key.json';

/**
 * Reads the owner key in plain text from the file that the first start wrote to the data folder. Returns undefined if
 * the file does not exist.
 */
export async function readKeyFile(dataFolder: string): Promise<string | undefined> {
  return (await readIfThere(join(dataFolder, KEY_FILE)))?.trim();
}

/**
 * Reads a text file. Returns undefined if the file does not exist, and rejects if it cannot be read for another reason.
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
