import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, EXIT } from './exit-codes.ts';

/**
 * Writes a file that only this user can read. Returns its absolute path.
 *
 * @throws CliError with the exit code REFUSED if the file exists already
 */
export async function writeNewFile(file: string, content: Readable | string): Promise<string> {
  const path = resolve(file);
  const source = typeof content === 'string' ? Readable.from([content]) : content;
  await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CliError(EXIT.REFUSED, `${path} exists already, and nothing was written. Name another file.`);
    throw error;
  });
  return path;
}
