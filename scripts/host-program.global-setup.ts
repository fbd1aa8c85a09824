import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'test/processes/host/host-main.ts');

/** Gives the tests `inject('hostProgram')`: a host compiled once for plain Node, as many processes start it. */
export default async function setup(project: TestProject): Promise<() => void> {
  // Beside the packages that are left out of it; a folder for each run, for there may be several.
  const outDir = join(root, `packages/storage-pg/node_modules/.host-${process.pid}`);
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
      rolldownOptions: { external: ['knex', 'pg', /^@electric-sql\//] },
    },
  });
  project.provide('hostProgram', join(outDir, 'host-main.js'));
  return () => rmSync(outDir, { recursive: true, force: true });
}
