import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';

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

export interface KeyCheck {
  /**
   * True if the key cannot be guessed. The right key is then accepted even from an address that has sent too many wrong
   * keys.
   */
  readonly isGenerated: boolean;
  matches(text: string): boolean;
}

/** Creates the check for a key that is known in plain text. */
export const checkKnownKey = (key: string): KeyCheck => checkDigest(sha256(key), isGenerated(key));

/** Creates the check for a key whose SHA-256 is known. */
export const checkDigest = (digest: Buffer, isGenerated: boolean): KeyCheck => ({
  isGenerated,
  matches: (text) => timingSafeEqual(sha256(text), digest),
});

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The most bytes of a settings file, a key file, or a file that describes a session. */
const MOST_BYTES = 4_000_000;

/** Thrown if a path cannot be used. The message is a whole sentence. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

/**
 * Reads a text file of at most 4 MB. Returns undefined if the file does not exist. Anything else than a regular file, such as a
 * named pipe or a device, is not read: it may have no end, or nobody writes to it.
 *
 * @throws FileFault if the file is too long or not a regular file; the error of the system if it cannot be read
 */
export async function readRegularFile(path: string): Promise<string | undefined> {
  const file = await openRegularFile(path);
  if (!file) return undefined;
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: MOST_BYTES, autoClose: false })) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (bytes.length > MOST_BYTES) throw new FileFault(`${path} is longer than ${MOST_BYTES / 1_000_000} MB.`);
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

/** Opens a file for {@link readRegularFile}, or for a caller that reads it in parts. Undefined if it does not exist. */
export async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  // O_NONBLOCK: without it, opening a named pipe waits for a writer. Windows has no such flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(absent);
  if (!file || (await file.stat()).isFile()) return file;
  await file.close();
  throw new FileFault(`${path} is not a regular file.`);
}

/** Returns undefined for the error of a file that does not exist, and throws any other error. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

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

/** What is wrong with the owner, or the mode, of a folder or file, and what to do. */
export interface KeyFault {
  readonly found: string;
  readonly advice: string;
}

const ROOT = 0;

/**
 * Looks for a way in which other users of the machine can read the owner key in a data folder, or can put another key in its
 * place. Undefined if there is none, and on Windows, which has no modes.
 *
 * The group counts as other users, unless the folder has the setgid bit. Kubernetes sets this bit when it gives a volume to the
 * group `fsGroup` of a pod, and makes the files readable and writable for the group at each start. In a folder with the sticky
 * bit, users can replace only their own files.
 */
export async function findKeyFault(dataFolder: string): Promise<KeyFault | undefined> {
  const folder = await statIfThere(dataFolder);
  const self = process.geteuid?.();
  if (!folder || self === undefined) return undefined;
  const others = folder.mode & 0o2000 ? 0o007 : 0o077;
  const isReplaceable = (folder.mode & others & 0o022) !== 0 && (folder.mode & 0o1000) === 0;
  if (isReplaceable)
    return {
      found: `other users can put another key into ${dataFolder} (mode ${modeText(folder)})`,
      advice: `Run: chmod go-w ${dataFolder}.`,
    };
  const files = [join(dataFolder, KEY_FILE), join(dataFolder, HASH_FILE)];
  for (const path of [dataFolder, ...files]) {
    const found = await statIfThere(path);
    if (found && found.uid !== self && found.uid !== ROOT)
      return {
        found: `${path} belongs to another user (uid ${found.uid}; this program runs with uid ${self})`,
        advice: `Run Parley as that user, or: chown ${self} ${path}.`,
      };
    if (found && path !== dataFolder && (found.mode & others) !== 0)
      return {
        found: `other users can read ${path} (mode ${modeText(found)})`,
        advice: `Run: chmod 600 ${path}. If other people use this machine, also delete owner-key and owner-key.json in the data folder, and start the server again, which creates a new owner key.`,
      };
  }
  return undefined;
}

const modeText = ({ mode }: Stats): string => (mode & 0o777).toString(8);

const statIfThere = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
