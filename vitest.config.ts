import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const packages = readdirSync(new URL('packages', import.meta.url));

// Projects share these by hand: `extends` would also repeat the global set-up for each.
const project = (name: string, folder: string, { isolate = false } = {}) => ({
  // Workspace packages resolve to their sources, so tests need no build.
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'development|production'] } },
  test: {
    name,
    include: [`${folder}/**/*.test.ts`],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Files leave nothing behind in their modules, and loading them anew for each file costs more than the tests.
    isolate,
  },
});

const processes = project('processes', 'test/processes');

export default defineConfig({
  test: {
    globalSetup: './scripts/postgres.global-setup.ts',
    // The default is one worker on two cores; many files wait for a database, a child process or a real second.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // One file of storage-pg puts a failing disk below the module that others have loaded.
      ...packages.map((name) => project(name, `packages/${name}/test`, { isolate: name === 'storage-pg' })),
      project('scenarios', 'test/scenarios'),
      project('wire', 'test/wire'),
      project('oddities', 'test/oddities'),
      project('fuzz', 'test/fuzz'),
      project('redaction', 'test/redaction'),
      project('hostile', 'test/hostile'),
      project('workspace', 'test/workspace'),
      {
        ...processes,
        test: { ...processes.test, globalSetup: './scripts/host-program.global-setup.ts' },
      },
      project('examples', 'examples/*/test'),
    ],
  },
});
