import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, EXIT } from './exit-codes.ts';

/**
 * Writes a file that only this user can read. Returns its absolute path.
 *
 * @throws CliError with the exit code REFUSED if the file exists already or cannot be written whole
 */
export async function writeNewFile(file: string, content: Readable | string): Promise<string> {
  const path = resolve(file);
  const source = typeof content === 'string' ? Readable.from([content]) : content;
  await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(async (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CliError(EXIT.REFUSED, `${path} exists already, and nothing was written. Name another file.`);
    await rm(path, { force: true });
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.REFUSED, `${path} could not be written (${reason}). No part of it is left.`);
  });
  return path;
}
