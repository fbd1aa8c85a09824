import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the operating system says that a file or folder does not exist. */
export const isAbsence = (error: unknown): boolean => hasCode(error, 'ENOENT');

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Creates the folders of a relative path that are missing. Rejects if `root` does not exist. */
export async function makeFolders(root: string, path: string): Promise<void> {
  const parts = path.split(/[/\\]/).filter((part) => part !== '.');
  for (let count = 1; count <= parts.length; count += 1)
    await mkdir(join(root, ...parts.slice(0, count)), { mode: 0o700 }).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
}
