import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A folder inside a package, so that Node finds the external packages from there, and a package.json two folders above. */
const PLACE = join(root, 'packages/storage-pg/node_modules');

/**
 * Returns the prefix of the folders of compiled programs that this process and its children share. COMPILED_PROGRAMS
 * holds it; without it, this process makes one and deletes the folders when it ends.
 */
function sharedPrefix(): string {
  if (process.env.COMPILED_PROGRAMS === undefined) {
    process.env.COMPILED_PROGRAMS = `.programs-${process.pid}`;
    process.once('exit', forgetPrograms);
  }
  return process.env.COMPILED_PROGRAMS;
}

/** Lets all processes that this process starts from now on share compiled programs. */
export const sharePrograms = (): void => void sharedPrefix();

export function forgetPrograms(): void {
  for (const name of readdirSync(PLACE))
    if (name.startsWith(`${sharedPrefix()}-`)) rmSync(join(PLACE, name), { recursive: true, force: true });
}

/**
 * Bundles a TypeScript program and the workspace packages for plain Node, once for all processes that share programs.
 * The bundle is one file, with a further file for each dynamic import. It starts faster than the sources.
 *
 * @param entry absolute path of the source
 */
export async function compileProgram(entry: string, name: string): Promise<string> {
  const key = createHash('sha256').update(entry).update(readFileSync(entry)).digest('hex').slice(0, 16);
  const folder = join(PLACE, `${sharedPrefix()}-${name}-${key}`);
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!isTaken(lock)) {
      await pause(50);
      continue;
    }
    try {
      if (!existsSync(folder)) await bundle({ entry, name, folder });
    } finally {
      rmSync(lock, { recursive: true });
    }
  }
  return join(folder, `${name}.js`);
}

/** Takes the lock if no other process has it: `mkdir` makes a folder once. Returns whether this process has the lock. */
const isTaken = (lock: string): boolean => mkdirSync(lock, { recursive: true }) !== undefined;

interface Bundle {
  readonly entry: string;
  readonly name: string;
  readonly folder: string;
}

async function bundle({ entry, name, folder }: Bundle): Promise<void> {
  const outDir = `${folder}.new`;
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, resolve: { conditions: ['@parley/source', 'module', 'node', 'production'] } },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: {
        external: ['express', 'fastify', 'knex', 'pg', /^@electric-sql\//],
        output: { entryFileNames: `${name}.js`, chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  // Other processes see a whole bundle or none.
  renameSync(outDir, folder);
}
