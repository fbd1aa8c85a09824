import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD } from '../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    globalSetup: './scripts/vitest/postgres.global-setup.ts',
    include: ['test/reliability/adversary/**/*.test.ts'],
    // Runs one file at a time, because the files measure memory and response times.
    fileParallelism: false,
    disableConsoleIntercept: true,
    ...LONG_HANG_GUARD,
  },
});
