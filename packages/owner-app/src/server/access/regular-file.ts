import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

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
