import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const packages = readdirSync(new URL('packages', import.meta.url));
// Workspace packages resolve to their sources, so tests need no build.
const conditions = ['@parley/source', 'module', 'node', 'development|production'];

const project = (name: string, folder: string) => ({
  extends: true as const,
  test: { name, include: [`${folder}/**/*.test.ts`] },
});

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    exclude: ['**/node_modules/**', '**/dist/**'],
    projects: [
      ...packages.map((name) => project(name, `packages/${name}/test`)),
      project('scenarios', 'test/scenarios'),
      project('workspace', 'test/workspace'),
      project('examples', 'examples/*/test'),
    ],
  },
});
