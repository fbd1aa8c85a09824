import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError, EXIT } from './exit-codes.ts';

/**
 * Writes a file that only this user can read. Returns its absolute path.
 *
 * @throws CliError with the exit code REFUSED if the file exists already or cannot be written whole
 */
export async function writeNewFile(file: string, content: AsyncIterable<Uint8Array> | string): Promise<string> {
  const path = resolve(file);
  try {
    const target = await open(path, 'wx', 0o600);
    await writeWhole(target, path, content);
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CliError(EXIT.REFUSED, `${path} exists already, and nothing was written. Name another file.`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.REFUSED, `${path} could not be written (${reason}). No part of it is left.`);
  }
  return path;
}

/** Writes the content and closes the file. If that fails, removes the file: it is open, so no later step creates it. */
async function writeWhole(
  target: FileHandle,
  path: string,
  content: AsyncIterable<Uint8Array> | string,
): Promise<void> {
  try {
    await writeFile(target, content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await target.close();
  }
}
