import { defineConfig } from 'vitest/config';
import { HANG_GUARD } from '../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    globalSetup: ['./scripts/vitest/postgres.global-setup.ts', './scripts/vitest/browser.global-setup.ts'],
    include: ['test/browser/**/*.test.ts'],
    isolate: false,
    maxWorkers: 2,
    ...HANG_GUARD,
  },
});
