import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: { include: ['test/reliability/simulation/**/*.test.ts'], isolate: false, testTimeout: 20_000 },
});
