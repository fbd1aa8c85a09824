import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * The data folder of an embedded database. A take-over from a process that may still live copies the database into the
 * next generation, whose folder has another name. So neither the open files nor the paths of that process lead to the
 * database.
 */
export interface Generation {
  readonly number: number;
  readonly path: string;
}

const FIRST = 'postgres';
const DRAFT = 'postgres.new';
const NAME = /^postgres(?:-([1-9][0-9]{0,8}))?$/;

export const generationIn = (folder: string, number: number): Generation => ({
  number,
  path: join(folder, number === 0 ? FIRST : `${FIRST}-${number}`),
});

/** Returns the database of a folder, which is the highest generation. Returns undefined if there is no database. */
export const databaseIn = (folder: string): Generation | undefined => generationsIn(folder).at(-1);

/** Returns a path for an incomplete database. No two calls return the same path. */
export const newDraft = (folder: string): string => join(folder, `${DRAFT}-${randomUUID()}`);

/** Returns the paths of all incomplete databases in a folder. */
export const draftsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(DRAFT))
    .map((name) => join(folder, name));

/**
 * Removes an incomplete database. Renames it first, so that a process that still writes it can no longer rename what is
 * left of it.
 */
export function removeDraft(folder: string, draft: string): void {
  const aside = newDraft(folder);
  try {
    renameSync(draft, aside);
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

/**
 * Removes the generations before `current`. Never removes a later one, because that is the database of a process that
 * has taken the folder over meanwhile. A file takes the place of the first generation, so that a program that knows
 * only that name does not create an empty database.
 */
export function removeBefore(folder: string, current: Generation): void {
  for (const { number, path } of generationsIn(folder)) {
    if (number >= current.number) continue;
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 10 });
      if (number === 0) writeFileSync(path, `The database is in the folder ${FIRST}-${current.number}.\n`);
    } catch {
      // A process that has lost the folder still writes there. The next start removes what is left.
    }
  }
}

function generationsIn(folder: string): readonly Generation[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => generationIn(folder, Number(NAME.exec(name)?.[1] ?? 0)))
    .sort((one, other) => one.number - other.number);
}
