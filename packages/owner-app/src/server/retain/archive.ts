import type { Hash } from 'node:crypto';

/** The place to which sessions are exported before they are erased. */
export interface Archive {
  /**
   * Writes a whole file, and replaces a file of the same name. If the write fails, rejects, and no incomplete file has
   * this name.
   *
   * @param chunks may be called twice; both calls must yield the same text
   * @returns the SHA-256 of the text in hexadecimal
   */
  write(name: string, chunks: () => AsyncIterable<string>): Promise<string>;
  /** Reads a file from the archive, and never from memory. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** The address of a file. The audit contains this address. */
  addressOf(name: string): string;
  /** Rejects if the archive cannot be used. Writes nothing. */
  examine(): Promise<void>;
  /** Removes incomplete files that an ended process has left behind. */
  tidy(): Promise<void>;
}

/**
 * Thrown if the archive accepts no file at all, for example because the bucket is missing or the credentials are
 * refused. The message contains what to do.
 */
export class ArchiveUnavailable extends Error {
  override readonly name = 'ArchiveUnavailable';
}

/** Name of the file with which `checkArchive` tests an archive. */
export const CHECK_FILE = 'parley-check.txt';

/** Yields the chunks unchanged, and adds each chunk to a hash. */
export async function* hashed<T extends string | Uint8Array>(chunks: AsyncIterable<T>, hash: Hash): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
