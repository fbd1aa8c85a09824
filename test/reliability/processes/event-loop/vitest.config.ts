import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    include: ['test/reliability/processes/event-loop/*.measure.ts'],
    globalSetup: ['./scripts/postgres.global-setup.ts', './scripts/host-program.global-setup.ts'],
    disableConsoleIntercept: true,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
