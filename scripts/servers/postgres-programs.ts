import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isProgram } from './is-program.ts';

/**
 * Returns the folder of the newest PostgreSQL that has all these programs. Undefined if there is none.
 *
 * @param library a library that the PostgreSQL must have, such as `citus`
 */
export function findPrograms(names: readonly string[], library?: string): string | undefined {
  return folders().find(
    (folder) =>
      names.every((name) => isProgram(join(folder, name))) && (library === undefined || hasLibrary(folder, library)),
  );
}

/**
 * Whether a library is installed with these programs. Looks in the folder that a build from source uses and in the
 * folder that the packages of Debian and Red Hat use.
 */
const hasLibrary = (bin: string, library: string): boolean =>
  ['../lib', '../lib/postgresql'].some((folder) => existsSync(join(bin, folder, `${library}.so`)));

/** Folders that may contain the programs of PostgreSQL, in the order of the search. */
function folders(): string[] {
  return [
    ...(process.env.PG_BIN ? [process.env.PG_BIN] : []),
    ...versioned('/usr/lib/postgresql', /^(\d+)$/),
    ...versioned('/usr', /^pgsql-(\d+)$/),
    ...versioned('/opt/homebrew/opt', /^postgresql@(\d+)$/),
    ...versioned('/usr/local/opt', /^postgresql@(\d+)$/),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
}

function versioned(parent: string, name: RegExp): string[] {
  const version = (entry: string) => Number(name.exec(entry)?.[1]);
  return entries(parent)
    .filter((entry) => name.test(entry))
    .sort((a, b) => version(b) - version(a))
    .map((entry) => join(parent, entry, 'bin'));
}

/** The user that runs PostgreSQL. PostgreSQL refuses to run as root; undefined stands for the present user. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    if (uid.status !== 0) continue;
    return { uid: Number(uid.stdout), gid: Number(execFileSync('id', ['-g', name], { encoding: 'utf8' })) };
  }
  throw new Error('running as root, and there is no user postgres or nobody to run PostgreSQL as');
}

/** The names of the files in a folder. Empty if the folder cannot be read. */
export function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
