import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles a TypeScript program and the workspace packages for plain Node. The bundle is one file, with a further file
 * for each dynamic import. It starts faster than the sources, and is deleted when this process ends.
 *
 * @param entry absolute path of the source
 */
export async function compileProgram(entry: string, name: string): Promise<string> {
  // The folder must be inside a package, so that Node finds the external packages from there. Several processes may run
  // at the same time, so the name of the folder contains the process id.
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
      rolldownOptions: {
        external: ['express', 'fastify', 'knex', 'pg', /^@electric-sql\//],
        output: { entryFileNames: `${name}.js`, chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  return join(outDir, `${name}.js`);
}
