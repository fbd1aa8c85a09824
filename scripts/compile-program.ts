import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles a TypeScript program and the sources of the workspace packages into one file for plain Node. The bundle starts in a
 * fraction of the time that loading every source takes. It is deleted when this process ends.
 * @param entry absolute path of the source
 */
export async function compileProgram(entry: string, name: string): Promise<string> {
  // The folder is beside the external packages, so that Node finds them. Each process has its own, because several may run.
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
