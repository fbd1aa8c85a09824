import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The place to which sessions are exported before they are erased. */
export interface Archive {
  /** Writes a file completely, or rejects. A file of the same name is replaced. */
  write(name: string, chunks: AsyncIterable<string>): Promise<void>;
  /** Reads a file back from the place, not from memory. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** The address of a file, as the audit names it. */
  addressOf(name: string): string;
}

/**
 * An archive in a folder, which is created if it does not exist. A file gets its name when all of it is on the disk, so a crash leaves
 * no part of a file under that name. Each write has a part file of its own, so two writers do not mix their texts. Files are readable for the user of the process only.
 */
export const createFolderArchive = (folder: string): Archive => ({
  async write(name, chunks) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = join(folder, `.${name}.${randomBytes(8).toString('hex')}.part`);
    try {
      await writeSynced(part, chunks);
      await rename(part, join(folder, name));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await syncFolder(folder);
  },
  read: (name) => createReadStream(join(folder, name)),
  addressOf: (name) => join(folder, name),
});

async function writeSynced(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) await file.write(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names of a folder durable. Windows cannot open a folder; its file system does this by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
