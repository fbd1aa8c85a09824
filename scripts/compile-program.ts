import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
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
    process.env.COMPILED_PROGRAMS = `.programs-${randomUUID()}`;
    process.once('exit', forgetPrograms);
  }
  return process.env.COMPILED_PROGRAMS;
}

/** Lets all processes that this process starts from now on share compiled programs. */
export const sharePrograms = (): void => void sharedPrefix();

function forgetPrograms(): void {
  for (const name of readdirSync(PLACE))
    if (name.startsWith(`${sharedPrefix()}-`)) rmSync(join(PLACE, name), { recursive: true, force: true });
}

/**
 * Bundles a TypeScript program and the workspace packages for plain Node, once for all processes that share programs and
 * as long as no source changes. The bundle is one file, with a further file for each dynamic import. It starts faster
 * than the sources.
 *
 * @param entry absolute path of the source
 */
export async function compileProgram(entry: string, name: string): Promise<string> {
  const key = createHash('sha256')
    .update(`${entry} ${lastChange(entry)}`)
    .digest('hex')
    .slice(0, 16);
  const folder = join(PLACE, `${sharedPrefix()}-${name}-${key}`);
  if (!existsSync(folder)) await bundle({ entry, name, folder });
  return join(folder, `${name}.js`);
}

/** The time of the latest change of a source of the packages or beside the entry, in milliseconds since the epoch. */
function lastChange(entry: string): number {
  const packages = join(root, 'packages');
  const folders = [dirname(entry), ...readdirSync(packages).map((name) => join(packages, name, 'src'))];
  const files = folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
      : [],
  );
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

interface Bundle {
  readonly entry: string;
  readonly name: string;
  readonly folder: string;
}

async function bundle({ entry, name, folder }: Bundle): Promise<void> {
  const outDir = `${folder}.${process.pid}`;
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
  // Other processes see a whole bundle or none. If another was first, the folder is not empty, and its bundle stays.
  try {
    renameSync(outDir, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(outDir, { recursive: true });
  }
}
