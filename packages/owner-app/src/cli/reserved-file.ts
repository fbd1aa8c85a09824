import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** More bytes than a file with a token has. */
const RESERVED_BYTES = 4_096;

/** A file that does not exist yet under its name, but has its place on the disk. */
export interface ReservedFile {
  /** Writes the text, and gives the file its name. An older file of that name is replaced at once. */
  keep(text: string, path: string): Promise<void>;
  giveUp(): Promise<void>;
}

/**
 * Makes a file that only this user can read, and fills it, so that a later short text fits on the disk. For what cannot be had again,
 * such as the token for a code that works once: reserve first, then redeem.
 *
 * @param beside the file has another name in the folder of this path, until it is kept
 */
export async function reserveFile(beside: string): Promise<ReservedFile> {
  await mkdir(dirname(beside), { recursive: true, mode: 0o700 });
  const draft = `${beside}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  const giveUp = async (): Promise<void> => {
    await file.close();
    await rm(draft, { force: true });
  };
  const orGiveUp = async (error: unknown): Promise<never> => {
    await giveUp();
    throw error;
  };
  const fill = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    await file.write(bytes, 0, bytes.length, 0);
    await file.truncate(bytes.length);
    await file.sync();
  };
  // A file of a restrictive umask could not be replaced later.
  await chmod(draft, 0o600).catch(orGiveUp);
  await fill(' '.repeat(RESERVED_BYTES)).catch(orGiveUp);
  return {
    giveUp,
    async keep(text, path) {
      await fill(text).catch(orGiveUp);
      await file.close();
      await rename(draft, path);
    },
  };
}
