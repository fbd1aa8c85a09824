/** The place to which sessions are exported before they are erased. */
export interface Archive {
  /**
   * Writes a file completely, or rejects and leaves no part of it under the name. Replaces a file of the same name.
   *
   * @param chunks may be called twice; both calls must give the same text
   * @returns the SHA-256 of the text, hex
   */
  write(name: string, chunks: () => AsyncIterable<string>): Promise<string>;
  /** Reads a file back from the place, not from memory. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** The address of a file, as the audit names it. */
  addressOf(name: string): string;
  /** Rejects if no file can be read from the place. Writes nothing. */
  examine(): Promise<void>;
  /** Removes what is left of writes whose process ended. */
  tidy(): Promise<void>;
}

/**
 * Thrown if the archive takes no file at all: the folder or the bucket is missing, the store does not answer, or it refuses the
 * credentials. The message says what to do.
 */
export class ArchiveUnavailable extends Error {
  override readonly name = 'ArchiveUnavailable';
}

/** Name of the file with which an archive is checked. */
export const CHECK_FILE = 'parley-check.txt';
