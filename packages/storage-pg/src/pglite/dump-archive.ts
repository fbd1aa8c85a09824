import { open, readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ArchiveEntry, BLOCK, readEntry } from './archive-entry.ts';
import { makeFolders } from './make-folders.ts';

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
