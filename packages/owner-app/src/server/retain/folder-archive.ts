import { createHash, randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Archive, ArchiveUnavailable, hashed } from './archive.ts';

/**
 * Milliseconds without a write after which a `.part` file is removed. If the writing process then continues, it cannot
 * rename the removed file, and the session is not erased.
 */
const LEFT_MS = 60 * 60 * 1000;

const PART = /^\.parley-.+\.[\da-f]{16}\.part$/;

/**
 * An archive in a folder. The first write creates a missing folder. A file gets its name after its whole content is on
 * the disk, so a crash leaves no incomplete file with this name. Each write has its own `.part` file, so two writers do
 * not mix their texts.
 */
export const createFolderArchive = (folder: string, { now = Date.now } = {}): Archive => ({
  async write(name, chunks) {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refused(folder));
    const part = join(folder, `.${name}.${randomBytes(8).toString('hex')}.part`);
    const hash = createHash('sha256');
    try {
      await writeSynced(part, hashed(chunks(), hash)).catch(refused(folder));
      await rename(part, join(folder, name));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await syncFolder(folder);
    return hash.digest('hex');
  },
  read: (name) => createReadStream(join(folder, name)),
  addressOf: (name) => join(folder, name),

  async examine() {
    let found = folder;
    // Finds the nearest parent folder that exists, because the first write creates a missing folder.
    while (!(await exists(found))) found = dirname(found);
    await readdir(found).catch(refused(folder));
    await access(found, constants.W_OK | constants.X_OK).catch(refused(folder));
  },

  async tidy() {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      if (!PART.test(name)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true });
    }
  },
});

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** What to do if a folder cannot be written, by error code of the operating system. */
const OF_THE_FOLDER: Readonly<Record<string, string>> = {
  EACCES: 'Give the user of the service write permission in the folder',
  EPERM: 'Give the user of the service write permission in the folder',
  EROFS: 'Mount the folder writable',
  ENOTDIR: 'A part of the path is a file: rename the file',
  EEXIST: 'A part of the path is a file: rename the file',
  ENOSPC: 'Free space on the disk of the folder',
  EDQUOT: 'Raise the quota of the user of the service',
};

const refused =
  (folder: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = OF_THE_FOLDER[code];
    if (!advice) throw error;
    throw new ArchiveUnavailable(
      `The folder ${folder} cannot be written (${code}). ${advice}, or change PARLEY_RETAIN_TO.`,
      { cause: error },
    );
  };

async function writeSynced(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, chunks);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the names of the files in a folder to the disk. Skipped on Windows, where a folder cannot be opened. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
