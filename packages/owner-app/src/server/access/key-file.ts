import { join } from 'node:path';
import { OWNER_KEY_FORM } from './owner-key.ts';
import { FileFault, readRegularFile } from './regular-file.ts';

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
 *
 * @throws FileFault if the file contains no owner key. It may be a link to another secret, which no server may get
 */
export async function readKeyFile(dataFolder: string): Promise<string | undefined> {
  const path = join(dataFolder, KEY_FILE);
  const key = (await readRegularFile(path))?.trim();
  if (key === undefined || OWNER_KEY_FORM.test(key)) return key;
  throw new FileFault(`${path} does not contain an owner key, so it is not used.`);
}
