import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isProgram } from './is-program.ts';

/** The folder that has all of these programs of PostgreSQL, of the newest version; undefined if there is none. */
export function findPrograms(names: readonly string[]): string | undefined {
  return folders().find((folder) => names.every((name) => isProgram(join(folder, name))));
}

/** Folders in which the programs may be, in the order of the search. */
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

/** The user that runs PostgreSQL; undefined for the current user. PostgreSQL refuses to run as root. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    if (uid.status !== 0) continue;
    return { uid: Number(uid.stdout), gid: Number(execFileSync('id', ['-g', name], { encoding: 'utf8' })) };
  }
  throw new Error('running as root, and there is no user postgres or nobody to run PostgreSQL as');
}

/** The names in a folder; empty if the folder cannot be read. */
export function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
