import { defineConfig } from 'vitest/config';

/** Attacks on a running service with its default settings. `ADVERSARY=short` makes the attacks shorter. */
export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    globalSetup: './scripts/postgres.global-setup.ts',
    include: ['test/reliability/adversary/**/*.test.ts'],
    // One attack at a time: memory and response times are measured.
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
