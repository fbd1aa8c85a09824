import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Compiles a TypeScript program, workspace packages by their sources, into one file for plain Node: it starts in a
 * fraction of the time that loading every source takes. The file is gone with this process.
 *
 * @param entry absolute path of the source
 */
export async function compileProgram(entry: string, name: string): Promise<string> {
  // Beside the packages that are left out of it; a folder for each process, for there may be several.
  const outDir = join(root, `packages/storage-pg/node_modules/.${name}-${process.pid}`);
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
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
      rolldownOptions: { external: ['knex', 'pg', /^@electric-sql\//], output: { entryFileNames: `${name}.js` } },
    },
  });
  return join(outDir, `${name}.js`);
}
