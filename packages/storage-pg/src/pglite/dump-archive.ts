import { open, readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { makeFolders } from './generations.ts';

/** Size of a block of a tar archive, in bytes. */
const BLOCK = 512;

interface ArchiveEntry {
  /** Path relative to the data folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Size in bytes. 0 for a folder. */
  readonly size: number;
}

const FILE_TYPES = ['0', ''];
const FOLDER_TYPE = '5';
/** Matches the names that files and folders in a data folder of PostgreSQL can have. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,99}$/;

/**
 * Parses the header of an entry. Refuses links, devices and names that lead out of the folder, because no data folder
 * contains them.
 *
 * @param head the block of the header
 * @throws Error that names the entry
 */
function readEntry(head: Buffer): ArchiveEntry {
  const name = fieldOf(head, 0, 100);
  const parts = name.split('/').filter((part) => part !== '');
  const shown = JSON.stringify(name);
  if (Number.parseInt(fieldOf(head, 148, 8), 8) !== checksumOf(head))
    throw new Error(`The archive is damaged: the checksum of ${shown} does not match.`);
  if (parts.length === 0 || !parts.every((part) => NAME.test(part)) || fieldOf(head, 345, 155) !== '')
    throw new Error(`The archive is not a backup of Parley: it contains ${shown}, which no data folder contains.`);
  const type = fieldOf(head, 156, 1);
  const isFolder = type === FOLDER_TYPE;
  if (!isFolder && !FILE_TYPES.includes(type))
    throw new Error(
      `The archive is not a backup of Parley: it contains ${shown}, which is neither a file nor a folder.`,
    );
  const size = fieldOf(head, 124, 12).trim();
  if (!/^[0-7]{1,12}$/.test(size)) throw new Error(`The archive is damaged: the size of ${shown} is not a number.`);
  return { path: parts.join('/'), isFolder, size: isFolder ? 0 : Number.parseInt(size, 8) };
}

const fieldOf = (head: Buffer, at: number, length: number): string =>
  head.toString('latin1', at, at + length).split('\0')[0] ?? '';

/** Computes the checksum of a header: the sum of all its bytes. The bytes of the stored checksum count as spaces. */
function checksumOf(head: Buffer): number {
  let sum = 8 * 32;
  for (const [index, byte] of head.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}

/**
 * Maximum number of entries in an archive. A database of PostgreSQL has about a thousand files, and one more file for
 * each gigabyte of a table.
 */
const MOST_ENTRIES = 100_000;

/**
 * Unpacks the compressed archive of a data folder into an empty folder, in pieces of limited size. After an error, the
 * unpacked files remain.
 *
 * @throws Error if the archive is damaged, is not a data folder, is of another PostgreSQL version, or is larger than
 * the free space
 */
export async function unpackDump(dump: Blob, folder: string, major: string): Promise<void> {
  const bytes = createByteReader(unzip(dump));
  const seen = new Set<string>();
  for (let head = await bytes.exactly(BLOCK); head?.some((byte) => byte !== 0); head = await bytes.exactly(BLOCK)) {
    const entry = readEntry(head);
    if (seen.has(entry.path))
      throw new Error(`The archive is not a backup of Parley: it contains ${entry.path} twice.`);
    seen.add(entry.path);
    if (seen.size > MOST_ENTRIES)
      throw new Error(`The archive is not a backup of Parley: it contains more than ${MOST_ENTRIES} files.`);
    if (entry.isFolder) await makeFolders(folder, entry.path);
    else await unpackFile(entry, bytes, folder);
  }
  await checkVersion(folder, major);
}

async function checkVersion(folder: string, major: string): Promise<void> {
  const found = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => {
    throw new Error('This archive does not contain an embedded database.');
  });
  const version = found.trim();
  if (version === major) return;
  if (!/^\d{1,3}$/.test(version)) throw new Error('The archive is damaged: its file PG_VERSION contains no version.');
  throw new Error(
    `The dump has the format of PostgreSQL ${version}, but this program needs the format of PostgreSQL ${major}. Restore it with the version of Parley that wrote it.`,
  );
}

async function unpackFile({ path, size }: ArchiveEntry, bytes: ByteReader, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (size > bavail * bsize)
    throw new Error(`${path} needs ${size} bytes, but the disk has only ${bavail * bsize} bytes left.`);
  await makeFolders(folder, dirname(path));
  const file = await open(join(folder, path), 'wx', 0o600);
  try {
    for (let left = size; left > 0; ) {
      const piece = await bytes.next(left);
      if (piece === undefined) throw new Error(`The archive is truncated: it ends inside ${path}.`);
      await file.writeFile(piece);
      left -= piece.length;
    }
  } finally {
    await file.close();
  }
  await bytes.exactly((BLOCK - (size % BLOCK)) % BLOCK);
}

async function* unzip(dump: Blob): AsyncGenerator<Buffer> {
  try {
    yield* Readable.fromWeb(dump.stream()).pipe(createGunzip());
  } catch {
    throw new Error('This file is not a dump of an embedded database, or it is damaged.');
  }
}

interface ByteReader {
  /** Reads at most `most` of the next bytes. Returns undefined at the end. */
  next(most: number): Promise<Buffer | undefined>;
  /** Reads exactly `length` bytes. Returns undefined if fewer bytes are left. */
  exactly(length: number): Promise<Buffer | undefined>;
}

function createByteReader(pieces: AsyncGenerator<Buffer>): ByteReader {
  let rest: Buffer = Buffer.alloc(0);
  const next = async (most: number): Promise<Buffer | undefined> => {
    if (rest.length === 0) {
      const { value, done } = await pieces.next();
      if (done) return undefined;
      rest = value;
    }
    const piece = rest.subarray(0, most);
    rest = rest.subarray(piece.length);
    return piece;
  };
  const exactly = async (length: number): Promise<Buffer | undefined> => {
    const found: Buffer[] = [];
    for (let left = length; left > 0; ) {
      const piece = await next(left);
      if (piece === undefined) return undefined;
      found.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(found);
  };
  return { next, exactly };
}
